//! The kinds of ideas.

/// The kind of an idea.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IdeaKind {
    /// A number of tips, ways or reasons.
    List,
    /// News, such as a move or new opening hours.
    Announcement,
    /// A lower price.
    Offer,
    /// An event with a time and a place.
    Event,
    /// An open position.
    Hiring,
    /// A quotation.
    Quote,
    /// A question.
    Question,
    /// A comparison of two things.
    Comparison,
    /// An achievement or an anniversary.
    Milestone,
    /// A new product or service.
    Launch,
    /// A figure.
    Stat,
    /// A subject without further statements.
    Topic,
}

impl IdeaKind {
    /// The name of the kind: `list`, `announcement` …
    pub fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Announcement => "announcement",
            Self::Offer => "offer",
            Self::Event => "event",
            Self::Hiring => "hiring",
            Self::Quote => "quote",
            Self::Question => "question",
            Self::Comparison => "comparison",
            Self::Milestone => "milestone",
            Self::Launch => "launch",
            Self::Stat => "stat",
            Self::Topic => "topic",
        }
    }

    /// Whether the parts of such an idea are facts, separated by commas.
    pub(super) fn states_facts(self) -> bool {
        matches!(
            self,
            Self::Offer | Self::Event | Self::Hiring | Self::Launch | Self::Milestone | Self::Announcement | Self::Stat
        )
    }
}
