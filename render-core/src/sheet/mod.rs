//! Lays out trees: a [`Tree`](crate::tree::Tree) and a [`Setting`] become a scene.
//!
//! ```text
//! tree --build_box--> boxes (tokens resolved) --fit, arrange--> places --draw--> scene
//! ```
//!
//! A function of the layer above, [`Setting::build_box`], turns elements into [`Boxed`] values. This layer handles
//! boxes, words and drawings, and refers to no element by name.

mod arrange;
mod bleed;
mod boxed;
mod columned;
mod columns;
mod draw;
mod edge;
mod fit;
mod flourish;
mod frame;
mod inks;
pub(crate) mod marks;
mod ranged;
mod set;
mod setting;
mod view;
mod with;
mod wording;
mod words;

pub use boxed::{
    Border, Boxed, Content, Drawn, Extent, Flow, Justify, Lay, Look, Pin, Place, Rim, Sketch, Track, Tracks,
};
pub use columns::Columns;
pub use draw::Located;
pub use flourish::Stress;
pub use frame::{Frame, type_sizes};
pub use inks::{Inks, mix};
pub use ranged::Ranged;
pub use set::{Sheet, Stage, faces, grounded, palette, set, set_watched};
pub use setting::{BuildBox, Setting, Touches, With};
pub use view::{Plot, View};
pub use with::place;
pub use wording::Plan;
pub use words::{Manner, Words};
