"""A ladder: no rounds and no end; each deal is chosen for its information. Pure: takes tallies, returns a table and
why."""
