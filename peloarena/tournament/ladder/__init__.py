"""A ladder: no rounds and no end; each next deal is the one that tells most. Pure: tallies in, a table and why out."""
