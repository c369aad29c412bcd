//! What words of a prompt stand for, in whichever language they are said.

use crate::design::{Part, Style, Template};
use crate::scene::Color;

use super::super::Hue;

macro_rules! words {
    ($($name:ident $key:literal)+) => {
        /// A word that means something to the grammar, by its key in the word lists.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(super) enum W { $($name,)+ }

        impl W {
            fn by_key(key: &str) -> Option<Self> {
                match key { $($key => Some(Self::$name),)+ _ => None }
            }
        }
    };
}

words! {
    // Says nothing by itself.
    Fill "fill" And "and" To "to" With "with" For "for" From "from" In "in" On "on" Of "of" As "as" This "this" It "it"
    Set "set" Use "use" Want "want" Is "is"
    // What places.
    After "after" Before "before" Left "left" Right "right" Centre "centre" Top "top" Bottom "bottom" Corner "corner"
    Start "start" End "end" Up "up" Down "down" Upright "upright"
    // What is done.
    Say "say" Rename "rename" Remove "remove" Add "add" Show "show" Replace "replace" Swap "swap" Move "move"
    Shorten "shorten" Highlight "highlight" Sort "sort" Reverse "reverse" Align "align" Crop "crop" Break "break"
    Capitalise "capitalise" Duplicate "duplicate" Increase "increase" Decrease "decrease" Enumerate "enumerate"
    // What it is done to.
    Item "item" Bar "bar" Card "card" Text "text" Face "face" Icon "icon" Photo "photo" Art "art" Logo "logo"
    Chart "chart" Layout "layout" Palette "palette" Look "look" Space "space" Size "size" Weight "weight"
    Contrast "contrast" Colour "colour" Word "word" Emphasis "emphasis" Line "line" Mode "mode" Quote "quote" Page "page"
    Set_ "whole-set" Everywhere "everywhere" All "all" Everything "everything" Background "background" Margin "margin" Number "number"
    // How it is to be.
    Bigger "bigger" Smaller "smaller" Huge "huge" Largest "largest" Tiny "tiny" Double "double" Half "half" Bit "bit" Much "much"
    More "more" Less "less" Too "too" Other "other" Rest "rest" Not "not" Than "than" None "none"
    Bold "bold" Bolder "bolder" Thin "thin" Thinner "thinner" Regular "regular" Medium "medium" Semibold "semibold"
    Dark "dark" Light "light" Darker "darker" Lighter "lighter" Warmer "warmer" Cooler "cooler" Vivid "vivid"
    Muted "muted" Pale "pale" Upper "upper" Lower "lower" TitleCase "title-case" SentenceCase "sentence-case"
    Brand "brand" Whole "whole" Cover "cover" Serif "serif" Sans "sans" Mono "mono" Rounded "rounded"
    Condensed "condensed" Ascending "ascending" Descending "descending" Alphabet "alphabet" Value "value" Pop "pop"
    Percent "percent" Px "px" Times "times" Numbered "numbered" Busy "busy" Calm "calm"
    // What no page has.
    Undo "undo" Translate "translate" Animate "animate" Italic "italic" Underline "underline" Strike "strike" Rotate "rotate"
    Gradient "gradient" Shadow "shadow" Emoji "emoji" Video "video" Code "code" Rewrite "rewrite" Export "export"
    Leading "leading" Cue "cue" FirstSentence "first-sentence" Brackets "brackets" Textless "textless"
    Reword "reword" Itemise "itemise" Usual "usual" Together "together" Spelt "spelt"
}

impl W {
    /// Returns whether it says how heavy something is.
    pub(super) fn is_weight(self) -> bool {
        matches!(self, Self::Bold | Self::Bolder | Self::Thin | Self::Thinner)
    }

    /// Returns whether it says only how something is to look: its size, weight, shade or case.
    pub(super) fn is_look(self) -> bool {
        let sizes = matches!(self, Self::Bigger | Self::Smaller | Self::Huge | Self::Largest | Self::Tiny);
        let shades = matches!(self, Self::Dark | Self::Light | Self::Darker | Self::Lighter);
        let cases = matches!(self, Self::Upper | Self::Lower | Self::Italic);
        sizes || shades || cases || self.is_weight()
    }

    /// Returns whether it names a side of the page.
    pub(super) fn is_side(self) -> bool {
        let sides = matches!(self, Self::Left | Self::Right | Self::Centre | Self::Top | Self::Bottom);
        sides || matches!(self, Self::Up | Self::Down)
    }

    /// Returns whether it says where something is to stand.
    pub(super) fn is_place(self) -> bool {
        self.is_side() || matches!(self, Self::Start | Self::End | Self::After | Self::Before)
    }
}

/// What a word or a phrase stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sense {
    /// One of the grammar's words.
    Word(W),
    /// A part of a page.
    Part(Part),
    /// A colour of a page.
    Hue(Hue),
    /// A style.
    Style(Style),
    /// A structure.
    Layout(Template),
    /// A place in a list, from 1; 0 for the last one.
    Ordinal(u8),
    /// A number said in words.
    Number(u8),
    /// A part of a whole, by how many of them make it: a quarter.
    Share(u8),
    /// A colour by name.
    Colour(Color),
}

impl Sense {
    /// The sense of a key: "bigger", "part headline", "style elegant", "ordinal 2", "colour #ff0000".
    pub(super) fn by_key(key: &str) -> Option<Self> {
        let Some((kind, of)) = key.split_once(' ') else { return W::by_key(key).map(Self::Word) };
        match kind {
            "part" => Part::by_name(of).map(Self::Part),
            "hue" => Hue::ALL.into_iter().find(|h| h.name() == of).map(Self::Hue),
            "style" => Style::by_name(of).map(Self::Style),
            "layout" => Template::all().find(|a| a.name() == of).map(Self::Layout),
            "ordinal" => of.parse().ok().map(Self::Ordinal),
            "number" => of.parse().ok().map(Self::Number),
            "share" => of.parse().ok().filter(|n| *n > 0).map(Self::Share),
            "colour" => Color::parse(of).map(Self::Colour),
            _ => None,
        }
    }
}
