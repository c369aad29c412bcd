//! Pages as trees of elements: what a [`Tree`] is, how elements are declared, and how attribute values are read.
//!
//! ```text
//! tree <- sheet <- elements <- markup
//! ```
//!
//! A tree holds its attributes as text. [`check`](Tree::check) compares all of them with the declarations and reports
//! every fault at once. Layout reads typed values through [`Node`]'s accessors, which fall back to the declared
//! default.

mod check;
mod declared;
mod fault;
mod node;
mod value;

pub use check::Vocabulary;
pub use declared::{Attribute, COMMON, Element, Group, Holds, Kind};
pub use fault::Fault;
pub use node::{Marks, Node, Run, Tree};
pub(crate) use value::read_colour;
pub use value::{Anchor, Colour, Filling, Fit, Length, Role, Shape, Sides, Space, Step};
#[cfg(test)]
pub(crate) use value::{read_anchor, read_fit, read_length, read_shapes, read_sides, read_space};
