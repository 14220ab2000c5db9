//! Load x resources grids: lag trends, verdicts, search, demand and capacity.
