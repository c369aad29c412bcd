//! Random pages made of all declared elements and attributes, for tests and the bench.

use crate::elements::VOCABULARY;
use crate::random::Chance;
use crate::tree::{Attribute, COMMON, Element, Group, Holds, Kind};

const WORDS: [&str; 8] = [
    "Flat",
    "Everyone on a par",
    "Needless barriers to knowledge make people feel like wage slaves.",
    "7,156",
    "Geschwindigkeitsbegrenzung",
    "كل يوم فكرة جديدة",
    "毎日ひとつ新しいこと",
    "A <em>word</em> that <strong>stands out</strong>, and <mark>one more</mark>",
];

/// Makes random choices.
struct Writer(Chance);

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        self.0.of(choices)
    }

    fn value(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Words => ["Visits", "Week 12", "a long label of five words"][self.below(3)].to_owned(),
            Kind::Number(min, max) => format!("{}", (min.max(0.0) + self.below(40) as f64).min(max)),
            Kind::Whole(min, max) => (min.max(1) + self.below(6) as i64).min(max).to_string(),
            Kind::Numbers => format!("{} {}", self.below(90), self.below(90)),
            Kind::Flag => self.of(&["true", "false"]).to_owned(),
            Kind::Choice(words) => self.of(words).to_owned(),
            Kind::Colour => self.of(&["accent", "tint", "surface", "ink", "field", "data3", "#0a7d4f"]).to_owned(),
            Kind::Space => self.below(7).to_string(),
            Kind::Fit => self.of(&["sm", "md..lg", "lg..2xl", "xl..hero"]).to_owned(),
            Kind::Length => self.of(&["30%", "60%", "7"]).to_owned(),
            Kind::Shapes => self.of(&["tall upright", "square wide strip"]).to_owned(),
            Kind::Anchor => self.of(&["top left", "center", "bottom across", "fill"]).to_owned(),
            Kind::Sides => self.of(&["left right", "all", "top"]).to_owned(),
            Kind::Icon => self.of(&["lock", "users", "key"]).to_owned(),
            Kind::Emoji => self.of(&["🎉", "🍅"]).to_owned(),
            Kind::Id => self.of(&["g1", "g2"]).to_owned(),
            Kind::Name => self.of(&["Acme", "waffle", "a.jpg"]).to_owned(),
            Kind::Path => "M0 0 L50 80 L90 10 Z".to_owned(),
            Kind::Points => "0,0 40,60 80,10".to_owned(),
            Kind::Transform => "rotate(10) translate(3 4)".to_owned(),
            Kind::Paint => self.of(&["accent", "none", "#123456"]).to_owned(),
        }
    }

    /// Returns an element with some of its attributes and with content.
    fn element(&mut self, element: &Element, depth: usize) -> String {
        let mut text = format!("<{}", element.name);
        let shared: &[Attribute] = if matches!(element.group, Group::Parts | Group::Shapes) { &[] } else { COMMON };
        for attribute in element.attributes.iter().chain(shared) {
            // Ids must be unique. Moved or turned elements leave their box on purpose. Parameters of pictures depend on
            // each other.
            let skipped = matches!(attribute.name, "id" | "shift" | "turn" | "at" | "clip-path" | "src")
                || (element.name == "picture" && attribute.name != "name");
            if skipped || self.below(4) > 0 {
                continue;
            }
            text.push_str(&format!(" {}=\"{}\"", attribute.name, self.value(attribute.kind)));
        }
        if element.name == "picture" {
            text = "<picture name=\"waffle\"".to_owned();
        }
        text.push('>');
        let inside: Vec<&Element> = match element.holds {
            Holds::Nothing => Vec::new(),
            Holds::Words => {
                text.push_str(if element.name == "emoji" { "🎉" } else { WORDS[self.below(WORDS.len())] });
                Vec::new()
            }
            Holds::Elements => {
                let any = |e: &&Element| !matches!(e.group, Group::Parts | Group::Shapes) && e.name != "page";
                VOCABULARY.0.iter().copied().filter(any).collect()
            }
            Holds::Only(names) => VOCABULARY.0.iter().copied().filter(|e| names.contains(&e.name)).collect(),
            Holds::WordsAnd(_) => {
                text.push_str(WORDS[self.below(WORDS.len())]);
                Vec::new()
            }
        };
        if !inside.is_empty() && depth > 0 {
            for _ in 0..1 + self.below(3) {
                let chosen = inside[self.below(inside.len())];
                text.push_str(&self.element(chosen, depth - 1));
            }
        }
        text.push_str(&format!("</{}>", element.name));
        text
    }
}

/// Returns a page of random declared elements and attributes, the same for the same `seed`. It may hold more than fits.
pub fn random(seed: u64) -> String {
    let mut chance = Chance::new(seed);
    // Tests name pages by their seeds. The first numbers are skipped so that a seed keeps its page.
    (0..8).for_each(|_| _ = chance.number());
    let mut writer = Writer(chance);
    let page = VOCABULARY.find("page").expect("it is declared");
    let depth = 1 + writer.below(4);
    writer.element(page, depth)
}
