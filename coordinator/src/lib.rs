//! Vivid's coordinator: serves the API, owns the state.

pub mod accounts;
pub mod clock;
pub mod credits;
pub mod keys;
pub mod meters;
pub mod state;
