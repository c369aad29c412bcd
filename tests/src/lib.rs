//! Nothing here: the tests stand in `tests/`.
