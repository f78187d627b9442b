"""Starting the portal on one machine: environment, preparation, supervised processes."""
