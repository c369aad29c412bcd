//! single
