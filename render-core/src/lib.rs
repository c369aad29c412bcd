//! The pure core of Vivid: turns content into image bytes.
//!
//! ```text
//! text --content--> Document --outline--> Outline --design--> Page --compose--> Scene --raster--> Pixmap --encode--> bytes
//!                                  \________________ plan: tries, measures (inspect), keeps the best ________/
//! ```
//!
//! Templates in the page language lay out pages. [`compose`] fills a page's template; [`leaf`] takes pages that are
//! written in the language directly. From there, both take the same path:
//!
//! ```text
//! text in the page language --markup--> Tree --pictures--> Tree --elements--> boxes --sheet--> Scene
//! ```
//!
//! Nothing in this crate uses network, files, clock, environment or an async runtime: the same arguments always give
//! the same bytes.

mod art;
pub mod author;
pub mod cancel;
pub mod compose;
pub mod content;
pub mod design;
pub mod edit;
pub mod elements;
pub mod encode;
pub mod format;
pub mod icon;
pub mod inspect;
pub mod leaf;
pub mod limits;
pub mod markup;
pub mod outline;
pub mod pdf;
pub mod pictures;
pub mod plan;
pub mod random;
pub mod raster;
pub mod scene;
pub mod sheet;
pub mod text;
pub mod tree;
pub mod warning;

pub use format::{Format, FormatId};
pub use warning::Warning;
