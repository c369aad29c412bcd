//! condense
