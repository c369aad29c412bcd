//! What charts are made of: scales over round numbers, axes, lines, bars, rings and grids of units, all true to scale.
//! Their words are direct: no legend, a few round numbers, the figures as the source writes them.

mod labels;
mod marks;
mod series;
mod tones;

pub(super) use crate::elements::charting::{Notation, Scale, Units, spread, thinned, through};
pub(super) use labels::{Axis, Labels};
pub(super) use marks::{Bar, bar, dot, line, ring, units, wash};
pub(super) use series::{Row, notes, rows};
pub(super) use tones::{Tones, mentioned};
