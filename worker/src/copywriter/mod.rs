//! What is said before it is laid out: without a language model, nothing but what the request itself settles.

pub(crate) mod offline;
