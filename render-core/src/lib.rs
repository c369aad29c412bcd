//! The pure core of Vivid: content in, image bytes out.
//!
//! ```text
//! text --content--> Document --outline--> Outline --design--> Page --compose--> Scene --raster--> Pixmap --encode--> bytes
//!                                  \________________ plan: tries, measures (inspect), keeps the best ________/
//! ```
//!
//! Pages are set by templates in the page language. [`compose`] fills a page's template; [`leaf`] takes pages that are
//! written in the language directly. Both go the same way from there:
//!
//! ```text
//! text in the page language --markup--> Tree --pictures--> Tree --elements--> boxes --sheet--> Scene
//! ```
//!
//! Nothing in here touches network, files, clock, environment or an async runtime: the same arguments give the same
//! bytes, always.

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
pub mod raster;
pub mod scene;
pub mod sheet;
pub mod text;
pub mod tree;
pub mod warning;

pub use format::{Format, FormatId};
pub use warning::Warning;
