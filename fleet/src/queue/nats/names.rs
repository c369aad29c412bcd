//! Names of streams, subjects and consumers on the server.

use crate::protocol::Class;

/// Names of streams, subjects and consumers on the server.
#[derive(Debug, Clone)]
pub(super) struct Names {
    pub prefix: String,
}

impl Names {
    pub fn stream(&self) -> String {
        format!("{}-jobs", self.prefix)
    }

    pub fn subject(&self, class: Class) -> String {
        format!("{}.jobs.{}", self.prefix, consumer(class))
    }
}

/// Returns the name of the consumer of a class.
pub(super) fn consumer(class: Class) -> &'static str {
    match class {
        Class::Edit => "edit",
        Class::Plan => "plan",
        Class::Render2k => "render-2k",
        Class::Render4k => "render-4k",
    }
}
