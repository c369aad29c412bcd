//! The sense in which a headline uses a word: "parcel" calls for the picture of a parcel, but a software "product"
//! doesn't.

use crate::content::Language;

/// Pictures of actors, which could stand on every page.
const ACTORS: [&str; 4] = ["people", "🏛️", "courthouse", "🏢"];

/// Pictures of things whose English words usually mean something else, with the words that do mean the thing. Two
/// judges found them by reading 730 pages of real articles with their pictures: "building a team" showed a skyline,
/// "the product" a parcel.
const SENSES: [(&str, &str); 57] = [
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
    ("🧪", "chemistry experiment experiments laboratory"),
    ("🐛", "bug bugs insect"),
    ("🧢", "hat hats"),
    ("⚠️", "warning danger hazard"),
    ("🔬", "microscope science scientific biology"),
    ("♟️", "chess pawn pawns"),
    ("🏆", "award awards prize prizes trophy winner winners champion champions"),
    ("🖼️", "painting gallery picture pictures"),
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
    let english = language.primary() == "en";
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    !english && !meant.is_empty() || words.any(|word| meant.split_whitespace().any(|own| own == word))
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
    fn names_and_denials_are_not_spoken_of() {
        let of = |text: &str| claimed(text, &Language::english());
        assert_eq!(of("A prize from the Public Library of the town"), "A prize from the Library of the town");
        assert_eq!(of("The boats are no longer an experiment"), "The boats are");
        assert_eq!(of("Mend The Old Boats First"), "Mend The Old Boats First");
    }
}
