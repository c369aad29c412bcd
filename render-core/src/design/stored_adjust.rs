//! The stored form of [`Adjust`], part of a page's stored form from version 4 on.

use serde::{Deserialize, Serialize};

use super::stored_common::{StoredError, unknown};
use super::{Adjust, LogoLook, LogoPlace, Part, SlotId, Stand, Which};
use crate::scene::Color;
use crate::text::Align;

/// A missing field has the value of an unedited page.
#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct AdjustV4 {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scales: Vec<(String, f32)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    weights: Vec<(String, u16)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inks: Vec<(String, Color)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    align: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stand: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    logo: Option<(bool, String, u16)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dim: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    highlight: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unnumbered: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<u32>,
}

const ALIGN: [(Align, &str); 3] = [(Align::Start, "start"), (Align::Center, "center"), (Align::End, "end")];

/// Returns a slot's name, or "all" and its part's name.
fn which_name(which: Which) -> String {
    match which {
        Which::All(part) => format!("all {}", part.name()),
        Which::One(slot) => slot.to_string(),
    }
}

fn which_named(name: &str) -> Option<Which> {
    match name.strip_prefix("all ") {
        Some(part) => Part::by_name(part).map(Which::All),
        None => name.parse::<SlotId>().ok().map(Which::One),
    }
}

impl AdjustV4 {
    /// Returns the stored form; `None` for an unedited page.
    pub(super) fn of(a: &Adjust) -> Option<Self> {
        let none = Adjust::default();
        if *a == none {
            return None;
        }
        Some(Self {
            scales: a.scales.iter().map(|(which, by)| (which_name(*which), *by)).collect(),
            weights: a.weights.iter().map(|(part, weight)| (part.name().to_owned(), *weight)).collect(),
            inks: a.inks.iter().map(|(which, ink)| (which_name(*which), *ink)).collect(),
            align: a.align.and_then(|align| ALIGN.iter().find(|(of, _)| *of == align)).map(|(_, n)| (*n).to_owned()),
            stand: a.stand.map(|stand| stand.name().to_owned()),
            space: (a.space != none.space).then_some(a.space),
            scheme: a.scheme,
            logo: (a.logo != none.logo).then(|| (a.logo.shown, a.logo.place.name().to_owned(), a.logo.percent)),
            dim: (a.dim != 0).then_some(a.dim),
            highlight: a.highlight,
            unnumbered: a.unnumbered.then_some(true),
            variant: a.variant,
        })
    }
}

impl TryFrom<AdjustV4> for Adjust {
    type Error = StoredError;

    fn try_from(v: AdjustV4) -> Result<Self, StoredError> {
        let which = |name: &str| which_named(name).ok_or_else(|| unknown("text", name));
        let none = Self::default();
        let logo = |(shown, place, percent): (bool, String, u16)| {
            let place = LogoPlace::ALL.into_iter().find(|p| p.name() == place).ok_or_else(|| unknown("place", &place));
            place.map(|place| LogoLook { shown, place, percent })
        };
        let align = |name: String| {
            ALIGN.iter().find(|(_, n)| *n == name).map(|(of, _)| *of).ok_or_else(|| unknown("alignment", &name))
        };
        Ok(Self {
            scales: v.scales.iter().map(|(n, by)| Ok((which(n)?, *by))).collect::<Result<_, StoredError>>()?,
            weights: v
                .weights
                .iter()
                .map(|(n, w)| Ok((Part::by_name(n).ok_or_else(|| unknown("part", n))?, *w)))
                .collect::<Result<_, StoredError>>()?,
            inks: v.inks.iter().map(|(n, ink)| Ok((which(n)?, *ink))).collect::<Result<_, StoredError>>()?,
            align: v.align.map(align).transpose()?,
            stand: v.stand.map(|n| Stand::by_name(&n).ok_or_else(|| unknown("place", &n))).transpose()?,
            space: v.space.unwrap_or(none.space),
            scheme: v.scheme,
            logo: v.logo.map(logo).transpose()?.unwrap_or(none.logo),
            dim: v.dim.unwrap_or_default(),
            highlight: v.highlight,
            unnumbered: v.unnumbered.unwrap_or_default(),
            variant: v.variant,
        })
    }
}
