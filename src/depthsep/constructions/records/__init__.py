"""The narrowest certified networks found so far for standard problems."""
