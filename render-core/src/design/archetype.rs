//! The structures of a page, and which kinds of pages each can set. How its slots stand, `compose/pages` says: one file
//! an archetype.

use crate::outline::PageKind;

macro_rules! archetypes {
    ($($(#[$doc:meta])+ $archetype:ident $name:literal $($kind:ident)+;)+) => {
        /// The structures of a page. Each says in `compose` how its slots are set at any aspect ratio.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Archetype {
            $($(#[$doc])+ $archetype,)+
        }

        impl Archetype {
            /// Every archetype.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$archetype),+];

            /// Its name, in kebab case.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$archetype => $name,)+
                }
            }

            /// The kinds of pages that it sets.
            pub fn kinds(self) -> &'static [PageKind] {
                match self {
                    $(Self::$archetype => &[$(PageKind::$kind),+],)+
                }
            }
        }
    };
}

archetypes! {
    /// Title and dek, type in the lead.
    CoverType "cover-type" Cover;
    /// A cluster of art over the title, off the right edge.
    CoverMosaic "cover-mosaic" Cover;
    /// A photograph and the words beside, under or on it.
    CoverSplit "cover-split" Cover;
    /// Words at the left of a wide page, art at its right.
    ArticleCard "article-card" Cover;
    /// A few words in capitals, each line as wide as the page.
    CoverLockup "cover-lockup" Cover;
    /// One point and what supports it.
    PointSlide "point-slide" Point;
    /// One numbered step.
    StepSlide "step-slide" Step;
    /// Several items in a grid ruled off by lines.
    ListGrid "list-grid" List Process Checklist;
    /// Events one below the other, on a rail with their dates beside it.
    TimelineV "timeline-v" Timeline;
    /// Events side by side, their dates over a rail.
    TimelineH "timeline-h" Timeline;
    /// Steps as ruled rows, with a bar divided as their time is.
    ProcessRows "process-rows" Process;
    /// A few short steps as numbered points on a rail.
    ProcessFlow "process-flow" Process;
    /// Steps of which the last leads to the first, on a ring.
    Cycle "cycle" Process;
    /// Things to do, each with a box.
    Checklist "checklist" Checklist List;
    /// A few things under large numerals.
    ListNumbered "list-numbered" List;
    /// A few short things on uneven tiles.
    TipsBento "tips-bento" List;
    /// Values that fall from one to the next, as a stack true to scale.
    Funnel "funnel" Series;
    /// Things under their groups, with rails between.
    Tree "tree" Tree;
    /// One figure over the full width.
    BigStat "big-stat" Stat;
    /// The page filled up to a share, its figure across the line.
    FillStat "fill-stat" Stat;
    /// A ring, a share of it drawn, its figure inside.
    Donut "donut" Stat;
    /// Units side by side, some of them counted.
    Pictogram "pictogram" Stat;
    /// Two figures as bars true to scale.
    BeforeAfter "before-after" Series Figures Stat;
    /// A few figures in tiles, one of them leading.
    KpiBento "kpi-bento" Figures;
    /// Lines over time, labelled at their ends.
    LineChart "line-chart" Series;
    /// Bars by rank, one of them highlighted.
    BarRank "bar-rank" Series;
    /// A quotation with hanging marks.
    Quote "quote" Quote;
    /// Ruled list of what was said, and what to do now.
    RecapCta "recap-cta" Recap;
    /// A belief and what is true, on two fields.
    MythFact "myth-fact" MythFact;
    /// A word across the page, and what it means.
    Definition "definition" Definition;
    /// A question at twice the size of its answer.
    Qa "qa" Question;
    /// Two things in halves.
    SplitVs "split-vs" Versus;
    /// What speaks for a thing and what against it, in two columns.
    ProsCons "pros-cons" ProsCons;
    /// Rows of cells, one column highlighted.
    CompareTable "compare-table" Table;
    /// News and its facts.
    Announcement "announcement" Announcement;
    /// A date set large, and its facts.
    Event "event" Event;
    /// A discount set large, its code and its facts.
    Offer "offer" Offer;
    /// A point or a step over two cards: how not to, and how to.
    ExampleSlide "example-slide" Point Step;
    /// A few things on bands across the page, each deeper than the one before.
    ListBands "list-bands" List;
}

impl Archetype {
    /// Whether a style that has bands sets its title on one: the title heads content that stands under or beside it, and the
    /// page has no other field.
    pub fn takes_band(self) -> bool {
        !matches!(
            self,
            Self::CoverType
                | Self::PointSlide
                | Self::StepSlide
                | Self::ExampleSlide
                | Self::BigStat
                | Self::FillStat
                | Self::Donut
                | Self::Pictogram
                | Self::Quote
                | Self::RecapCta
                | Self::CoverLockup
                | Self::MythFact
                | Self::Definition
                | Self::Qa
                | Self::SplitVs
                | Self::Announcement
                | Self::Event
                | Self::Offer
                | Self::CoverMosaic
                | Self::CoverSplit
                | Self::ArticleCard
                // Its lit column is field enough.
                | Self::CompareTable
        )
    }

    /// Whether it divides the page into fields itself, so that the page stands on the style's ground.
    pub fn has_own_field(self) -> bool {
        matches!(self, Self::MythFact | Self::SplitVs | Self::FillStat)
    }

    /// Whether what it says can stand anywhere between head and foot: it is no list, chart or field that fills the page.
    pub fn stands_free(self) -> bool {
        matches!(
            self,
            Self::CoverType
                | Self::CoverLockup
                | Self::PointSlide
                | Self::StepSlide
                | Self::BigStat
                | Self::Quote
                | Self::Qa
                | Self::Announcement
                | Self::Event
                | Self::Offer
        )
    }

    /// Whether it says at the foot of an upright page where its figures come from, so that whoever signs the page stands at
    /// the end of that line.
    pub fn names_source(self) -> bool {
        matches!(self, Self::FillStat | Self::BeforeAfter | Self::BarRank | Self::LineChart | Self::BigStat)
    }

    /// Whether an icon can stand for each of its items.
    pub fn has_icons(self) -> bool {
        matches!(self, Self::TipsBento)
    }

    /// Whether it draws the share that its page's art encodes, so that the art stays.
    pub fn draws_share(self) -> bool {
        matches!(self, Self::BigStat | Self::FillStat | Self::Donut | Self::Pictogram)
    }

    /// Whether its supporting text says what a chart shows, and stands over it.
    pub fn is_captioned(self) -> bool {
        matches!(self, Self::LineChart | Self::BarRank)
    }
}
