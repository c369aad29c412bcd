//! Changes the look of a page except single colours and sizes: layout, style, typefaces, art, icons, photograph, logo.

use crate::compose;
use crate::design::{
    Art, Background, LogoLook, LogoPlace, Page, Palette, Recipe, SlotId, Stand, Style, Template, Theme, Which, Writing,
    drawn,
};
use crate::icon::Icon;
use crate::scene::Point;
use crate::text::{Align, Family};

use super::super::{Ground, Hue, Op};
use super::words::heads;
use super::{ApplyError, Work, no};

/// Multiplied by the slide's index to vary the art seed between slides (2⁶⁴ divided by the golden ratio).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Work<'_, '_> {
    pub(super) fn look(&mut self, op: &Op) -> Result<Op, ApplyError> {
        if self.page.whole && matches!(op, Op::Counter(_) | Op::Logo { .. } | Op::Highlight(_)) {
            return no("This page was changed element by element: change its logo, page number and highlights there.");
        }
        match op {
            Op::Layout(template) => self.layout(*template)?,
            Op::Style(style) => self.style(*style),
            Op::Scheme(n) => self.scheme(*n)?,
            Op::Ground(ground) => self.ground(*ground)?,
            Op::Face { display, to } => self.face(*display, *to)?,
            Op::Art { recipe, variant } => self.art(*recipe, *variant)?,
            Op::Icons(icons) => self.icons(icons)?,
            Op::Picture { url, key } => return self.picture(url, key.as_deref()),
            Op::Photo { .. } => self.photo(op)?,
            Op::Logo { shown, place, percent } => {
                self.logo(LogoLook { shown: *shown, place: *place, percent: *percent })?;
            }
            Op::Space(percent) => return self.space(*percent),
            Op::Align(align) => self.page.adjust.align = Some(*align).filter(|a| *a != Align::Start),
            Op::Stand(to) => self.stand(*to)?,
            Op::Counter(shown) => self.counter(*shown)?,
            Op::Highlight(n) => self.highlight(*n)?,
            Op::Weight { part, to } => return self.weight(*part, *to),
            Op::Words { .. }
            | Op::Replace { .. }
            | Op::Items(_)
            | Op::Stress { .. }
            | Op::Size { .. }
            | Op::Ink { .. }
            | Op::Colour { .. }
            | Op::Drawing(_)
            | Op::Element(_)
            | Op::Page(_) => {}
        }
        Ok(op.clone())
    }

    fn layout(&mut self, to: Template) -> Result<(), ApplyError> {
        let from = self.page.template;
        if from == to && self.page.authored.is_none() {
            return Ok(());
        }
        if !from.kinds().iter().any(|k| to.kinds().contains(k)) {
            return no(format!("What this page says can't be set as {}: it is another kind of content.", name(to)));
        }
        if to.shows_photo() && self.page.photo.is_none() {
            return no("This layout shows a photograph, and the page has none.");
        }
        let before = self.page.clone();
        self.page.template = to;
        self.page.authored = None;
        self.page.whole = false;
        if self.page.background != Background::Base && to.has_own_field() {
            self.page.background = Background::Base;
            self.repaint();
        }
        if to.has_icons() && self.page.items.iter().all(|i| i.icon.is_none()) {
            let heads = heads(&self.page);
            let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
            if let Some(icons) = Icon::for_items(&heads, &self.page.locale.language) {
                self.page.items.resize_with(heads.len(), Default::default);
                self.page.items.iter_mut().zip(icons).for_each(|(item, icon)| item.icon = icon);
            }
        }
        self.page.sizes = crate::design::SizeCaps::default();
        if self.composed().fits {
            return Ok(());
        }
        self.page = before;
        no(format!("What this page says has no room as {}.", name(to)))
    }

    fn style(&mut self, to: Style) {
        if self.page.style == to {
            return;
        }
        let theme = Theme::of(to);
        let page = &mut self.page;
        page.style = to;
        page.writing = Writing::Horizontal;
        page.adjust.scheme = None;
        page.scheme = None;
        page.adjust.inks.clear();
        page.adjust.scales.clear();
        page.adjust.weights.clear();
        page.sizes = crate::design::SizeCaps::default();
        let said: String = page.slots.iter().map(|s| s.text.as_str()).collect();
        page.faces = theme.choose_faces(&said, &page.locale.language, page.seed, self.target.fonts);
        if let Some(brand) = self.target.brand {
            page.faces.display = brand.heading.unwrap_or(page.faces.display);
            page.faces.body = brand.body.unwrap_or(page.faces.body);
            page.faces.data = brand.body.unwrap_or(page.faces.data);
        }
        if let Some(art) = &mut page.art {
            art.recipe = fitting(crate::plan::recipe(theme, page.seed), page.background);
        }
        self.repaint();
        if !to.uses(self.page.template) && self.page.authored.is_none() {
            let kinds = self.page.template.kinds();
            let others = Template::all().filter(|a| to.uses(*a) && a.kinds().iter().any(|k| kinds.contains(k)));
            let others: Vec<Template> = others.filter(|a| !a.shows_photo()).collect();
            let found = others.into_iter().find(|a| {
                let page = Page { template: *a, ..self.page.clone() };
                compose::compose(&page, self.target.fonts).fits
            });
            self.page.template = found.unwrap_or(self.page.template);
        }
    }

    fn stand(&mut self, to: Stand) -> Result<(), ApplyError> {
        if !compose::stands_free(&self.page) {
            return no("What this layout shows fills the page; another layout (“another layout”) moves it.");
        }
        let before = self.composed().scene;
        let was = self.page.adjust.stand.replace(to);
        // Don't store a position that the layout has anyway.
        if self.composed().scene == before {
            self.page.adjust.stand = was;
        }
        Ok(())
    }

    /// Returns the colours of the page's style and scheme on one of its grounds.
    pub(super) fn styled(&self, background: Background) -> Palette {
        compose::repainted(&self.page, self.target.brand, background, false)
    }

    /// Resets the page's colours to those of its style and scheme, and picks the matching logo.
    pub(super) fn repaint(&mut self) {
        // The author's choice of a ground survives a change of colours; only `ground` replaces it.
        self.page.palette = compose::repainted(&self.page, self.target.brand, self.page.background, true);
        let page = &mut self.page;
        if let (Some(brand), Some(logo)) = (self.target.brand, &mut page.logo) {
            *logo = brand.logo_on(page.palette.bg).cloned().unwrap_or_else(|| logo.clone());
        }
    }

    fn scheme(&mut self, n: u8) -> Result<(), ApplyError> {
        let count = Theme::of(self.page.style).schemes.len();
        if usize::from(n) > count {
            return no(format!("The style {} has {count} colour schemes.", self.page.style.name()));
        }
        let to = n.saturating_sub(1);
        // Don't store the scheme that the page's seed selects anyway.
        let own = self.page.scheme.is_none() && self.page.seed % count as u64 == u64::from(to);
        self.page.adjust.scheme = Some(to).filter(|_| !own);
        let before = self.page.palette;
        self.repaint();
        if self.page.palette != before {
            self.page.adjust.inks.clear();
        }
        Ok(())
    }

    fn ground(&mut self, to: Ground) -> Result<(), ApplyError> {
        if self.page.background != to.background() && self.page.template.has_own_field() {
            return no("This layout divides the page into fields of its own; set the background colour instead.");
        }
        // An accent that an edit set stays on another ground.
        let now = self.page.palette.accent;
        let asked =
            (to.background() != self.page.background && now != self.styled(self.page.background).accent).then_some(now);
        self.page.background = to.background();
        if let Some(art) = &mut self.page.art {
            art.recipe = fitting(art.recipe, to.background());
        }
        let before = self.page.palette;
        self.repaint();
        if let Some(accent) = asked.filter(|_| to == Ground::Own) {
            self.colour(Hue::Accent, accent)?;
        }
        if self.page.palette != before {
            self.page.adjust.inks.clear();
        }
        Ok(())
    }

    fn face(&mut self, display: bool, to: Family) -> Result<(), ApplyError> {
        let said: String = self.page.slots.iter().map(|s| s.text.as_str()).collect();
        let own = |f: Family| matches!(f, Family::OwnHeading | Family::OwnBody);
        if own(to) && self.target.brand.is_none_or(|b| b.faces.iter().all(|f| f.family != to)) {
            return no("The generation's brand kit has no such face.");
        }
        if !self.fonts().covers_text(to, &said) {
            return no(format!("{} lacks letters of what this page says.", to.name()));
        }
        let faces = &mut self.page.faces;
        if display {
            faces.display = to;
        } else {
            (faces.body, faces.data) = (to, to);
        }
        Ok(())
    }

    fn art(&mut self, recipe: Option<Recipe>, variant: u8) -> Result<(), ApplyError> {
        let page = &mut self.page;
        let Some(recipe) = recipe else {
            if page.template.draws_share() && page.art.is_some_and(|a| a.value.is_some()) {
                return no("The drawing on this page is its figure; choose another layout instead.");
            }
            (page.art, page.picture) = (None, None);
            return Ok(());
        };
        // A requested ornament replaces the picture.
        page.picture = None;
        let value = page.art.and_then(|a| a.value);
        page.art = Some(Art { recipe, seed: art_seed(page, variant), value });
        Ok(())
    }

    fn icons(&mut self, icons: &[Option<Icon>]) -> Result<(), ApplyError> {
        if !self.page.template.has_icons() {
            return no("This layout has no icons; as tips on tiles the points have one each.");
        }
        let count = self.page.item_count();
        if icons.len() != count {
            return no(format!("This page has {count} points; name an icon for each, or none."));
        }
        self.page.items.resize_with(count, Default::default);
        self.page.items.iter_mut().zip(icons).for_each(|(item, icon)| item.icon = *icon);
        if self.page.items.iter().all(|i| *i == Default::default()) {
            self.page.items.clear();
        }
        Ok(())
    }

    fn picture(&mut self, url: &str, key: Option<&str>) -> Result<Op, ApplyError> {
        let Some(picture) = self.target.pictures.iter().find(|p| p.url == url) else {
            return no(format!("The picture at {url} was not fetched."));
        };
        let photo = picture.found.as_ref();
        let photo = photo.map_err(|why| ApplyError(format!("The picture at {url} can't be shown: {why}.")))?;
        if key.is_some_and(|key| key != photo.key) {
            return no(format!("There is another picture at {url} by now: ask for it anew."));
        }
        self.split_cover()?;
        // Focus and darkening of the old photograph don't apply to the new one.
        if self.page.photo.as_ref().is_none_or(|now| now.key != photo.key) {
            self.page.photo = Some(photo.clone());
            self.page.adjust.dim = 0;
        }
        Ok(Op::Picture { url: url.to_owned(), key: Some(photo.key.clone()) })
    }

    /// Switches to a layout that shows a photograph, unless the page has one already.
    fn split_cover(&mut self) -> Result<(), ApplyError> {
        if self.page.template.shows_photo() {
            return Ok(());
        }
        let kinds = self.page.template.kinds();
        let shows = |t: &Template| t.shows_photo() && t.kinds().iter().any(|k| kinds.contains(k));
        let Some(template) = Template::all().find(shows) else { return no("This layout shows no photograph.") };
        self.page.template = template;
        Ok(())
    }

    fn photo(&mut self, op: &Op) -> Result<(), ApplyError> {
        let Op::Photo { shown, crop, focus, dim } = op else { return Ok(()) };
        let Some(photo) = &mut self.page.photo else { return no("This page has no photograph.") };
        if !shown {
            if self.page.template.shows_photo() {
                self.page.template = self.without_photo();
            }
            return Ok(());
        }
        photo.crop = *crop;
        // The op has the focus in hundredths. A measured focus that rounds to the same value keeps its precision.
        let hundredth = |v: f32| (100.0 * v).round() as u8;
        if (hundredth(photo.focus.x), hundredth(photo.focus.y)) != *focus {
            photo.focus = Point::new(f32::from(focus.0) / 100.0, f32::from(focus.1) / 100.0);
        }
        self.page.adjust.dim = *dim;
        self.split_cover()
    }

    /// Returns the style's preferred layout without a photograph for this kind of page.
    fn without_photo(&self) -> Template {
        let (page, style) = (&self.page, self.page.style);
        let kinds = page.template.kinds();
        let others = Template::all().filter(|t| !t.shows_photo() && style.uses(*t));
        let others = others.filter(|t| t.kinds().iter().any(|k| kinds.contains(k)));
        let fits = |t: &Template| {
            let composed = compose::compose(&Page { template: *t, ..page.clone() }, self.target.fonts);
            composed.fits
        };
        let mut others: Vec<Template> = others.collect();
        others.sort_by(|a, b| style.likes(*b).total_cmp(&style.likes(*a)));
        others.iter().copied().find(fits).or_else(|| others.first().copied()).unwrap_or(page.template)
    }

    fn logo(&mut self, look: LogoLook) -> Result<(), ApplyError> {
        if self.page.logo.is_none() {
            return no("This page has no logo: it was made without a brand kit that has one.");
        }
        let page = &self.page;
        let numbered = page.slide.is_some_and(|s| s.count > 1) && !page.adjust.unnumbered;
        if look.shown && look.place.is_low() && (numbered || page.text(SlotId::Handle).is_some()) {
            return no(
                "The foot of this page holds its number or its address; the logo can stand at either end of the head.",
            );
        }
        let now = &mut self.page.adjust.logo;
        // A hidden logo keeps its place and size for when it is shown again.
        *now = if look.shown { look } else { LogoLook { shown: false, ..*now } };
        Ok(())
    }

    fn counter(&mut self, shown: bool) -> Result<(), ApplyError> {
        if self.page.slide.is_none_or(|s| s.count < 2) {
            return no("This page stands alone: it has no number.");
        }
        self.page.adjust.unnumbered = !shown;
        let logo = &mut self.page.adjust.logo;
        if shown && logo.place.is_low() {
            logo.place = LogoPlace::HeadStart;
            self.note("The logo stands at the head again: the foot holds the page number.");
        }
        Ok(())
    }

    fn highlight(&mut self, n: Option<u8>) -> Result<(), ApplyError> {
        let lines = || self.page.slots.iter().filter(|s| matches!(s.id, SlotId::Group(_))).count();
        let (count, what) = match self.page.template.highlights_groups() {
            true => (lines(), "lines that have names"),
            false => (self.page.item_count(), "points"),
        };
        if n.is_some_and(|n| usize::from(n) >= count) {
            return no(format!("This page has {count} {what}."));
        }
        match self.page.template.highlights() {
            true => self.page.adjust.highlight = n,
            false => {
                // A layout without highlights shows the point's head in the accent colour.
                let accent = self.page.palette.accent_text;
                let head = |which: &Which| matches!(which, Which::One(SlotId::ItemHead(_)));
                let asked = n.map(|n| Which::One(SlotId::ItemHead(n)));
                let inks = &mut self.page.adjust.inks;
                inks.retain(|(which, ink)| !(head(which) && *ink == accent) && Some(*which) != asked);
                inks.extend(asked.map(|which| (which, accent)));
            }
        }
        Ok(())
    }
}

/// Returns the seed of the nth drawing of a page's art. The first is the drawing that the page was designed with.
pub(in super::super) fn art_seed(page: &Page, variant: u8) -> u64 {
    let index = page.slide.map_or(0, |s| u64::from(s.index));
    let first = page.seed ^ index.wrapping_mul(GOLDEN);
    if variant <= 1 { first } else { drawn(first, u64::from(variant)) }
}

/// Returns the art recipe for a field. A glow (`Limb`) doesn't show on the accent field, and a window (`Arch`) needs
/// the base field; other recipes replace them elsewhere.
pub(in super::super) fn fitting(recipe: Recipe, background: Background) -> Recipe {
    match recipe {
        Recipe::Limb if background == Background::Accent => Recipe::Contours,
        Recipe::Arch if background != Background::Base => Recipe::Beams,
        recipe => recipe,
    }
}

/// Returns a template's name in quotation marks, with spaces for hyphens.
pub(super) fn name(template: Template) -> String {
    format!("“{}”", template.name().replace('-', " "))
}
