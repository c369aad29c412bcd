//! Everything about HTTP that is not one endpoint: bodies, forms, queries, lists, errors, idempotency, conditional
//! requests, CORS and compression.

pub(crate) mod conditional;
pub(crate) mod cors;
pub mod error;
pub(crate) mod form;
pub(crate) mod idempotency;
pub(crate) mod json;
pub(crate) mod listing;
pub(crate) mod metered;
pub mod names;
pub(crate) mod pack;
pub(crate) mod path;
pub(crate) mod query;
pub(crate) mod shape;
