//! The styles: one file each, with its tokens, its voices, and the derivation of a palette from a scheme's colours.
//!
//! Adding a style takes one file: `build.rs` lists the files of this folder by their `rank`. A style in the folder
//! `test_only` exists only in unit tests.

use super::{Template, Theme};

/// A style that the engine draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Style(u8);

include!(concat!(env!("OUT_DIR"), "/styles.rs"));

impl Style {
    /// Returns every style, in the order of their ranks.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..ALL.len() as u8).map(Self)
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        ALL[usize::from(self.0)].0
    }

    /// Returns its tokens.
    pub fn theme(self) -> &'static Theme {
        ALL[usize::from(self.0)].1
    }

    /// Returns its preference for a template, −1 to 1.
    pub fn likes(self, template: Template) -> f32 {
        template.header().affinity(self.name())
    }

    /// Returns whether it uses a template at all.
    pub fn uses(self, template: Template) -> bool {
        self.likes(template) > -1.0
    }

    /// Returns the style with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|s| s.name() == name)
    }
}

impl Theme {
    /// Returns the tokens of `style`.
    pub fn of(style: Style) -> &'static Self {
        style.theme()
    }
}

impl std::fmt::Debug for Style {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose::compose;
    use crate::format::Format;
    use crate::inspect::inspect;
    use crate::plan::specimens::specimen;
    use crate::text::Fonts;

    #[test]
    fn a_file_is_all_that_a_style_takes() {
        // `test_only/ninth.rs` is the only place that names this style.
        let style = Style::by_name("ninth").expect("its file is listed");
        assert_eq!(Style::all().count(), STYLE_NAMES.len() + 1);
        let (fonts, format) = (Fonts::new(), Format::by_id("instagram_post").expect("in the catalogue").id);
        let mut drawn = 0;
        for template in Template::all() {
            let Some(page) = specimen(template, style, format, 3, &fonts) else { continue };
            let composed = compose(&page, &fonts);
            assert!(inspect(&composed.scene, &page, None).passed && !composed.broken, "{template:?}");
            drawn += 1;
        }
        assert!(drawn > 30, "{drawn} templates");
    }

    #[test]
    fn names_find_their_styles() {
        for style in Style::all() {
            assert_eq!(Style::by_name(style.name()), Some(style));
        }
        assert_eq!(Style::MODERN.name(), "modern");
        assert_eq!(Style::by_name("baroque"), None);
    }
}
