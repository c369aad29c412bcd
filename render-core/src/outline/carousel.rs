//! carousel
