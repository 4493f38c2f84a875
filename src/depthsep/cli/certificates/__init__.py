"""`depthsep build`, `certify`, `prove`, `verify`: networks and what is proved."""
