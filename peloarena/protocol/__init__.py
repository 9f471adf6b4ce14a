"""What bots and referee say to each other, without any I/O."""
