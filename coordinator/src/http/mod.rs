//! Everything about HTTP that is not one endpoint: ids in paths, bodies, forms, queries, lists, errors, idempotency,
//! conditional requests, CORS and compression. Most of it is extractors: handlers list what they need of a request as
//! arguments, in the order in which its faults are reported.

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
pub(crate) mod running;
pub(crate) mod shape;
