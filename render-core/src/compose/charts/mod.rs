//! What charts are made of: scales over round numbers, axes, lines, bars, rings and grids of units, all true to scale.
//! Their words are direct: no legend, a few round numbers, the figures as the source writes them.

mod axis;
mod curve;
mod labels;
mod marks;
mod notation;
mod scale;
mod series;
mod tones;

pub(super) use axis::{spread, thinned};
pub(super) use curve::through;
pub(super) use labels::{Axis, Labels};
pub(super) use marks::{Bar, Units, bar, dot, line, ring, units, wash};
pub(super) use scale::Scale;
pub(super) use series::{Row, notes, rows};
pub(super) use tones::{Tones, mentioned};
