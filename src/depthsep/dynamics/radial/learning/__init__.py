"""Following the flow of a task, with records and checkpoints."""
