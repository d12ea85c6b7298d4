"""Where the nodes are and which links they have: generated placements, files, and checks on both."""
