//! The sense in which a headline uses a word: "parcel" calls for the picture of a parcel, but a software "product"
//! doesn't.

use crate::content::{Language, words};

/// Pictures of actors, which could stand on every page.
const ACTORS: [&str; 4] = ["people", "🏛️", "courthouse", "🏢"];

/// Pictures of things whose English words usually mean something else, with the words that do mean the thing. Some
/// were seen in real articles: "building a team" showed a skyline, "the product" a parcel. The others are likely to fail
/// in the same way. A `~` before the words: the words of other languages usually mean something else too.
const SENSES: [(&str, &str); 177] = [
    ("parcel", "parcel parcels package packages mail"),
    ("truck", "truck trucks lorry freight haul"),
    ("skyline", "city cities town towns urban skyline"),
    ("chartboard", "chart charts dashboard dashboards analytics metrics statistics data"),
    ("target", "goal goals target targets aim aims objective objectives"),
    ("microscope", "microscope science scientific biology"),
    ("school", "school schools classroom pupils students"),
    ("books", "book books novel novels bookshelf"),
    ("scales", "balance justice fair fairness weigh scales"),
    ("newspaper", "newspaper newspapers press journalist journalists"),
    ("factory", "factory factories manufacturing"),
    ("rocket", "launch launches launched launching rocket rockets"),
    ("chain", "chain chains"),
    ("house", "house houses housing"),
    ("map", "maps geography atlas"),
    ("plant", "plant plants garden gardens seedling"),
    ("glass", "glass glasses"),
    ("puzzle", "puzzle puzzles piece pieces"),
    ("toolbox", "toolbox toolkit toolkits"),
    ("phone", "phone phones smartphone smartphones mobile"),
    ("compass", "compass direction orient"),
    ("bulb", "idea ideas insight insights bulb"),
    ("ℹ️", ""),
    ("🔧", "wrench repair repairs mend fix"),
    ("📄", "form forms paper papers document documents paperwork pdf"),
    ("🖊️", "write writing writes writer writers pen"),
    ("🎓", "training graduate graduates university degree degrees diploma"),
    ("👁️", "eye eyes"),
    ("🏖️", "beach vacation holiday holidays"),
    ("💼", "job jobs hiring briefcase"),
    ("🏊", "swim swimming"),
    ("ship", "boat boats vessel sailing"),
    ("calendar", "calendar date dates month months deadline deadlines"),
    ("gift", "gift gifts present presents"),
    ("lock", "lock locked locks secure security password passwords private privacy encrypted"),
    ("🛞", ""),
    ("🎬", "film films movie movies camera cinema"),
    ("🧾", "receipt receipts bill invoice"),
    ("🐈", "cats kitten"),
    ("🏃", "runner runners marathon race"),
    ("✋", ""),
    ("pill", "pill pills medicine"),
    ("🥩", "steak beef"),
    ("🚨", "police emergency siren"),
    ("🎚️", "slider sliders"),
    ("🍼", "baby babies"),
    ("📍", "location locations place places"),
    ("🔌", "plug power electricity"),
    ("⏱️", "stopwatch seconds minutes deadline"),
    ("🪐", "~planet planets astronomy orbit saturn"),
    ("🔓", "~unlock unlocks unlocked unlocking"),
    ("🎫", "~ticket tickets admission"),
    ("👣", "~footprint footprints footsteps"),
    ("🕵️", "detective detectives investigation spy"),
    ("📉", "~decline declines decrease falling loss losses"),
    ("💵", "money dollar dollars cash currency"),
    ("🧠", "brain brains mind memory psychology neuroscience"),
    ("🎮", "gaming gamer gamers games console playstation videogame"),
    ("🕰️", "~"),
    ("🖥️", "~desktop monitor"),
    ("💪", "muscle muscles strength protein workout"),
    ("👕", "~shirt shirts clothing clothes"),
    ("🪄", "~wand magician"),
    ("👍", "~"),
    ("👎", "~"),
    ("👌", "~"),
    ("👏", "~applause clap"),
    ("🙌", "~"),
    ("🔨", "~hammer hammers"),
    ("🏨", "~hotel hotels"),
    ("👑", "~crown crowns king queen royal monarchy"),
    ("🏴", "~"),
    ("🚩", "~flag flags"),
    ("🏁", "~finish"),
    ("⚔️", "~sword swords battle battles war"),
    ("🗡️", "~dagger sword"),
    ("🔫", "~"),
    ("💣", "~bomb bombs"),
    ("💥", "~explosion explode explodes"),
    ("💀", "~"),
    ("⚰️", "~funeral funerals coffin"),
    ("🪦", "~grave gravestone tombstone"),
    ("🚬", "~smoking smoker smokers cigarette cigarettes tobacco"),
    ("🍗", "~chicken poultry"),
    ("🌊", "~wave waves ocean oceans sea surfing tsunami"),
    ("🔥", "~fire fires burn burning flame flames wildfire"),
    ("🧱", "brick bricks masonry wall walls"),
    ("🎭", "theatre theater actor actors drama"),
    ("🎪", "~circus"),
    ("🎲", "~dice gambling gamble luck"),
    ("🎰", "~casino"),
    ("🃏", "~joker cards poker"),
    ("🦸", "~"),
    ("🐴", "~horse horses"),
    ("🐎", "~horse horses"),
    ("🐂", "~bull bulls ox"),
    ("🐍", "~snake snakes"),
    ("🐭", "~"),
    ("🖱️", "~mouse"),
    ("🌸", "flower flowers rose roses blossom cherry"),
    ("🌟", "~star stars"),
    ("⭐", "~star stars rating ratings"),
    ("✨", "~"),
    ("🌈", "~rainbow rainbows pride"),
    ("☀️", "sun sunny sunshine summer solar"),
    ("🌙", "moon night nights"),
    ("🪞", "~mirror mirrors"),
    ("🪟", "~window windows"),
    ("🪑", "~chair chairs seat seats"),
    ("🧊", "~ice"),
    ("🧲", "~magnet magnets"),
    ("🧵", "~thread threads sewing"),
    ("🪢", "~knot knots"),
    ("🪝", "~hook hooks fishing"),
    ("🎣", "~fishing fish"),
    ("🏗️", "construction crane cranes"),
    ("🚧", "construction roadworks"),
    ("🩺", "doctor doctors medical stethoscope checkup diagnosis"),
    ("🌡️", "temperature thermometer fever"),
    ("📌", "pin pins bulletin board pinned"),
    ("📎", "~clip clips paperclip attachment"),
    ("📁", "folder folders files"),
    ("🗑️", "~trash bin garbage waste rubbish"),
    ("📺", "television tv show"),
    ("📻", "radio"),
    ("🎹", "piano keyboard"),
    ("🎸", "guitar guitars"),
    ("🥁", "~drum drums"),
    ("🥤", "~drink drinks soda"),
    ("🍽️", "restaurant restaurants dinner lunch meal meals dish dishes plate"),
    ("🍴", "restaurant restaurants dinner lunch meal meals dish dishes"),
    ("🍪", "~cookie cookies biscuit biscuits"),
    ("🛒", "shopping groceries supermarket cart"),
    ("🪜", "ladder ladders"),
    ("🧗", "climbing climber"),
    ("🏹", "~bow archery arrow arrows"),
    ("🥇", "gold medal champion champions"),
    ("🎗️", "~ribbon ribbons"),
    ("🎉", "party parties celebrate celebration celebrations congratulations"),
    ("🎈", "balloon balloons"),
    ("🦴", "bone bones skeleton"),
    ("🦷", "tooth teeth dentist"),
    ("👂", "ear ears hearing"),
    ("👃", "~nose smell"),
    ("👅", "~tongue taste"),
    ("👄", "~mouth lips"),
    ("👀", "~eye eyes"),
    ("🦶", "~foot feet"),
    ("🦵", "~leg legs"),
    ("👁️‍🗨️", "~"),
    ("🫂", "~hug hugs"),
    ("🛎️", "~reception concierge"),
    ("🕳️", "~hole holes"),
    ("🌐", "~"),
    ("🗣️", "~"),
    ("📡", "antenna satellite radar"),
    ("🚀", "rocket rockets launch"),
    ("🧯", "extinguisher"),
    ("🌉", "bridge bridges"),
    ("🥊", "boxing boxer"),
    ("🔩", "~screw screws bolt bolts nuts"),
    ("🪚", "~saw saws carpentry"),
    ("🪓", "~axe axes"),
    ("⛓️", "chain chains"),
    ("🗼", "tower towers"),
    ("🏰", "castle castles fortress"),
    ("⛪", "church churches"),
    ("🕊️", "dove doves peace"),
    ("🌋", "volcano volcanoes eruption"),
    ("🧪", "chemistry experiment experiments laboratory"),
    ("🐛", "bug bugs insect"),
    ("🧢", "hat hats"),
    ("⚠️", "warning danger hazard"),
    ("🔬", "microscope science scientific biology"),
    ("♟️", "chess pawn pawns"),
    ("🏆", "award awards prize prizes trophy winner winners champion champions"),
    ("🖼️", "painting gallery picture pictures"),
];

/// Pictures of the same kind of thing, which don't stand on neighbouring pages.
const FAMILIES: [&str; 17] = [
    "coins wallet piggybank jar safe tag 💵 💳 💸",
    "inbox envelope parcel",
    "trophy medal podium",
    "lock shield key safe",
    "contract checklist newspaper pencil 📄 🧾 📓",
    "clock hourglass calendar ⏱️ ⌚",
    "laptop browser phone 🖥️",
    "server database hub",
    "people meeting pair speaker",
    "speech megaphone microphone",
    "road signpost compass map bridge",
    "gears toolbox 🔧",
    "chartboard gauge waffle 📉",
    "car bus truck train bicycle",
    "plant tree",
    "stairs ladder pyramid layers mountain",
    "heart pill firstaid",
];

/// In a language, the words for the one who is asked and the words with which they answer.
const TURNS: [(&str, &str, &str); 4] = [
    ("en", "you your", "i my me"),
    ("de", "du dein deine sie ihr ihre", "ich mein meine mir mich"),
    ("fr", "vous votre vos tu ton ta", "je j mon ma moi"),
    ("es", "usted tu tus te", "yo mi mis me"),
];

/// English words after which a headline names what is not the case.
const DENIES: [&str; 9] =
    ["no longer", "rather than", "instead of", "without", "lack of", "beyond", "isn’t", "isn't", "not just"];
/// Most letters of a word that title case leaves in lower case.
const SMALL: usize = 3;

/// Returns the claim of a headline: without names, and without the words after a denial.
pub(super) fn claimed(headline: &str, language: &Language) -> String {
    if language.primary() != "en" {
        return headline.to_owned();
    }
    let lower = headline.to_ascii_lowercase();
    let end = DENIES.iter().filter_map(|word| lower.find(word)).min().filter(|at| headline.is_char_boundary(*at));
    let front = &headline[..end.unwrap_or(headline.len())];
    let words: Vec<&str> = front.split_whitespace().collect();
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let long = words.iter().skip(1).filter(|word| word.chars().count() > SMALL);
    let (capitals, all) = (long.clone().filter(|word| capital(word)).count(), long.count());
    // In title case, capitals don't mark names.
    if 2 * capitals > all {
        return front.to_owned();
    }
    let name = |i: usize| capital(words[i]) && (i > 0 || words.get(1).is_some_and(|next| capital(next)));
    // The last word of a name states its kind: "the Service Award".
    let kept = (0..words.len()).filter(|i| !name(*i) || i + 1 < words.len() && !name(i + 1) && *i > 0 && name(i - 1));
    kept.map(|i| words[i]).collect::<Vec<_>>().join(" ")
}

/// Returns whether a picture shows the sense in which a text uses its words.
pub(super) fn shows(picture: &str, text: &str, language: &Language) -> bool {
    let Some((_, meant)) = SENSES.iter().find(|(name, _)| *name == picture) else { return true };
    let rare = meant.starts_with('~');
    if language.primary() != "en" {
        return !meant.is_empty() && !rare;
    }
    says(text, meant.trim_start_matches('~'))
}

/// Returns whether a text has one of the words in a list that is separated by white space.
fn says(text: &str, list: &str) -> bool {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| words::has(list, word))
}

/// Returns whether a page shows a turn of an interview: a question to somebody who answers for themselves.
pub(super) fn is_asked(headline: &str, text: &str, language: &Language) -> bool {
    let Some((_, you, me)) = TURNS.iter().find(|(code, ..)| *code == language.primary()) else { return false };
    headline.trim_end().ends_with('?') && says(headline, you) && says(text, me)
}

/// Returns whether two pictures show the same kind of thing.
pub(super) fn are_alike(one: &str, other: &str) -> bool {
    FAMILIES.iter().any(|family| words::has(family, one) && words::has(family, other))
}

/// Returns whether the words for a picture have several senses.
pub(super) fn is_ambiguous(picture: &str) -> bool {
    is_actor(picture) || SENSES.iter().any(|(name, _)| *name == picture)
}

/// Returns whether a picture only shows an actor.
pub(super) fn is_actor(picture: &str) -> bool {
    ACTORS.contains(&picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_in_one_sense() {
        let en = Language::english();
        assert!(!shows("skyline", "Building a team", &en) && shows("skyline", "A walk through the city", &en));
        assert!(!shows("parcel", "The product is ready", &en) && shows("bicycle", "Mend the bicycle", &en));
        assert!(!shows("ℹ️", "Information", &Language::parse("de").unwrap()));
    }

    #[test]
    fn words_of_other_languages_are_trusted_unless_they_are_usually_wrong() {
        let de = Language::parse("de").unwrap();
        assert!(shows("📄", "Formulare", &de) && !shows("🪐", "Raum", &de));
        let en = Language::english();
        assert!(!shows("🪐", "Making space", &en) && shows("🪐", "The orbit of a comet", &en));
    }

    #[test]
    fn interviews_ask_about_anything() {
        let asked = |question: &str, answer: &str| is_asked(question, answer, &Language::english());
        assert!(asked("What do you like best?", "I like the boats."));
        assert!(!asked("What do boats like best?", "I like the boats."));
        assert!(!asked("Tell me what you like", "I like the boats."));
        assert!(!asked("What do you need?", "A boat needs sails."));
    }

    #[test]
    fn pictures_of_a_family_are_alike() {
        assert!(are_alike("clock", "hourglass") && !are_alike("clock", "coins") && !are_alike("bicycle", "tree"));
    }

    #[test]
    fn names_and_denials_are_not_spoken_of() {
        let of = |text: &str| claimed(text, &Language::english());
        assert_eq!(of("A prize from the Public Library of the town"), "A prize from the Library of the town");
        assert_eq!(of("The boats are no longer an experiment"), "The boats are");
        assert_eq!(of("Mend The Old Boats First"), "Mend The Old Boats First");
    }
}
