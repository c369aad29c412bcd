//! linebreak
