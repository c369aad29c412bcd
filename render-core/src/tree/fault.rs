//! [`Fault`]: a fault of one element of a page.

use std::fmt;

/// A fault of one element, in terms that a person or a model can act on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fault {
    /// The element's id, or `page` if no element can be named.
    pub element: String,
    /// What is wrong and what would be right: `gap="wide" is no step from 0 to 9`.
    pub message: String,
}

impl Fault {
    /// Creates a fault of the element with this id.
    pub fn new(element: impl Into<String>, message: impl Into<String>) -> Self {
        Self { element: element.into(), message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.element, self.message)
    }
}
