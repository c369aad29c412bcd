//! The key of a shaping plan: script, direction, language and features of a run.

use harfrust::{Direction, Feature, Tag};
use unicode_script::Script;

use crate::text::locale::Locale;

/// The features that a style chooses; kerning, ligatures, contextual and local forms are always on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::text) struct FeatureSet {
    pub tabular: bool,
    pub case: bool,
    /// `ss01` to `ss20`; 0 for none.
    pub stylistic_set: u8,
    /// Whether letters are set clearly tighter or looser than drawn. Optional ligatures, whose letters keep their
    /// distance, would then stand out (CSS Text 3, section 8.2).
    pub spaced: bool,
}

impl FeatureSet {
    pub(in crate::text) fn features(self) -> Vec<Feature> {
        let on = |tag: &[u8; 4]| Feature::new(Tag::new(tag), 1, ..);
        let mut features = Vec::new();
        if self.tabular {
            features.extend([on(b"tnum"), on(b"lnum")]);
        }
        if self.case {
            features.push(on(b"case"));
        }
        if let n @ 1..=20 = self.stylistic_set {
            features.push(on(&[b's', b's', b'0' + n / 10, b'0' + n % 10]));
        }
        if self.spaced {
            features.extend([b"liga", b"clig", b"dlig"].map(|tag| Feature::new(Tag::new(tag), 0, ..)));
        }
        features
    }
}

/// The key of a shaping plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::text) struct PlanKey {
    pub script: Script,
    pub direction: Direction,
    pub set: FeatureSet,
    pub locale: Locale,
}
