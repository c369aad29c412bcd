//! Finds what single sentences state: definitions, the hook, and the facts of announcements, offers and events.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Candidate, Finder, times};
use crate::content::blocks::{Clean, Form};
use crate::content::context::stands_alone;
use crate::content::entities::{self, EntityKind};
use crate::content::segment::{self, says_any, trimmed};
use crate::content::spans::Spans;
use crate::content::words::{self, is_unspaced};
use crate::content::{Announcement, BlockKind, Declared, Fact, FactKind, Span, Subject};

/// Maximum words of a text that can be one announcement.
const SHORT: usize = 350;
/// Maximum bytes of such a text, because words may have any length.
const SHORT_BYTES: usize = 10_000;
/// Maximum words of a notice, such as a poster, which announces something without an invitation.
const NOTICE: usize = 90;
/// Phrases that invite readers or sell to them, in any language: the label of a form, an admission, an order.
const INVITES: &str = "join us|register at|register by|register now|register here|to register|please register|registration|rsvp|\
    save the date|you are invited|you're invited|invites you|doors open|book your|book now|book a place|book a seat|\
    tickets at|tickets from|tickets available|get tickets|get your tickets|buy tickets|free entry|free admission|\
    admission free|shop now|buy now|order now|order by|use code|use the code|promo code|coupon|voucher|while stocks last|\
    anmeldung|anmelden|melden sie sich|meldet euch|wir laden|herzlich eingeladen|laden herzlich|eintritt frei|freier eintritt|\
    einlass|tickets unter|karten unter|jetzt bestellen|jetzt kaufen|gutschein|solange der vorrat reicht|\
    inscription|inscriptions|inscrivez-vous|venez|rejoignez-nous|vous invite|entrée libre|entrée gratuite|réservez|\
    réservation|code promo|achetez|commandez|inscripción|inscripciones|inscríbete|inscríbase|únete|te invitamos|os invitamos|\
    le invitamos|entrada libre|entrada gratuita|reserva tu|compra ya|código promocional|inscrição|inscrições|inscreva-se|\
    participe|junte-se|entrada franca|garanta|iscrizione|iscrizioni|iscriviti|vi invitiamo|ti invitiamo|partecipa|\
    ingresso libero|ingresso gratuito|prenota|codice sconto|aanmelden|meld je aan|doe mee|gratis toegang|bestel nu|\
    kortingscode|anmäl dig|anmälan|välkommen|fri entré|rabattkod|zapisz się|zapisy|zapraszamy|dołącz|wstęp wolny|\
    kod rabatowy|kayıt ol|kaydol|katılın|davetlisiniz|davet ediyoruz|giriş ücretsiz|indirim kodu|\
    регистрация|зарегистрируйтесь|приглашаем|присоединяйтесь|вход свободный|вход бесплатный|промокод|\
    реєстрація|запрошуємо|приєднуйтесь|вхід вільний|εγγραφή|εγγραφείτε|σας προσκαλούμε|είσοδος ελεύθερη|\
    التسجيل|سجل الآن|سجلوا|ندعوكم|انضم إلينا|انضموا|الدخول مجاني|كود الخصم|הרשמה|הירשמו|מוזמנים|הצטרפו|כניסה חופשית|\
    पंजीकरण|रजिस्टर|आमंत्रित|हमसे जुड़ें|प्रवेश निःशुल्क|प्रवेश नि:शुल्क|कूपन|申込|申し込み|参加登録|ご参加|入場無料|クーポン|报名|報名|\
    参加我们|诚邀|敬请|入场免费|免费入场|免費入場|优惠码|優惠碼|신청|참가|초대합니다|입장 무료|무료 입장|쿠폰";
/// Maximum words around a time that are kept with it.
const AROUND: usize = 3;
/// Maximum characters of a fact.
const FACT: usize = 60;
/// Maximum words of a defined term.
const TERM_WORDS: usize = 4;
/// Maximum definitions taken from the prose of a text.
const DEFINITIONS: usize = 3;

/// Whether an English meaning judges its subject instead of telling its kind: "a major part of the harbour".
fn judges(meaning: &str) -> bool {
    const JUDGEMENTS: &str = "major main primary key good great important critical crucial essential vital prime big better best \
        perfect popular favorite favourite difference reason example";
    let words = segment::words_of(meaning);
    words.iter().skip_while(|word| words::has(ARTICLES, word)).take(2).any(|word| words::has(JUDGEMENTS, word))
}

impl Finder<'_> {
    /// Finds "X is a …" in the first fifth of the text.
    pub(super) fn definitions(&self) -> Vec<Candidate> {
        let sentences = self.reader.sentences(self.from..self.raws().len(), Spans::NONE);
        let first = sentences.len().div_ceil(5).max(2);
        let prose = sentences.iter().take(first).filter(|s| self.raws()[s.raw].form == Form::Paragraph);
        prose
            .filter_map(|s| {
                let clean = &self.raws()[s.raw].clean;
                let (term, meaning) = self.definition(&clean.text[s.range.clone()])?;
                let at = |r: Range<usize>| clean.sourced(s.range.start + r.start..s.range.start + r.end);
                let whole = clean.sourced(s.range.clone());
                let span = whole.span;
                let kind = BlockKind::Definition { term: at(term), meaning: at(meaning), whole };
                Some(Candidate { kind, score: 0.65, span, claims: false })
            })
            .take(DEFINITIONS)
            .collect()
    }

    /// Returns the term and the meaning of a sentence that defines something.
    fn definition(&self, text: &str) -> Option<(Range<usize>, Range<usize>)> {
        let lower = words::lower_in_place(text);
        // A question defines nothing. A sentence that ends in a colon leaves the meaning to the text after it.
        if text.ends_with(['?', '？', '؟', ':', '：']) {
            return None;
        }
        let unspaced = text.chars().next().is_some_and(is_unspaced);
        let found = self.terms.defines.split('|').filter(|d| !d.is_empty()).filter_map(|phrase| {
            if unspaced {
                return lower.find(phrase).map(|at| (at, at + phrase.len(), phrase));
            }
            lower.find(&format!(" {phrase} ")).map(|at| (at, at + phrase.len() + 2, phrase))
        });
        let (at, mut rest, phrase) = found.min_by_key(|(at, _, _)| *at)?;
        // "is a sudden wind": the article belongs to the meaning.
        if let Some((_, article)) = phrase.rsplit_once(' ').filter(|(_, last)| words::has(ARTICLES, last)) {
            rest -= article.len() + 1;
        }
        let mut term = trimmed(text, 0..at);
        let bare = lower[term.clone()].split_once(' ').filter(|(first, _)| words::has(ARTICLES, first));
        if let Some((article, _)) = bare {
            term.start += article.len() + 1;
        }
        term = trimmed(text, term);
        let inside = text[term.clone()].trim_matches(['"', '“', '”', '„', '«', '»', '「', '」']);
        let start = term.start + text[term.clone()].find(inside).unwrap_or(0);
        let term = start..start + inside.len();
        let name = &text[term.clone()];
        let opener = segment::words_of(name).into_iter().next()?;
        let words = segment::count_words(name);
        let pointing =
            words::has(self.reader.lexicon.pointing, &opener) || words::has(self.reader.lexicon.function, &opener);
        let meaning = trimmed(text, rest..text.trim_end_matches(['.', '。', '!', '।', '।']).len().max(rest));
        let meaning = meaning.start
            + (text[meaning.clone()].len() - text[meaning.clone()].trim_start_matches(['、', '，', ',']).len())
            ..meaning.end;
        // A quotation that opened before the meaning closes at its end.
        let closed =
            text[meaning.clone()].find('”').filter(|at| !text[meaning.start..meaning.start + at].contains('“'));
        let meaning = meaning.start..closed.map_or(meaning.end, |at| meaning.start + at);
        let meaning = meaning.start..meaning.start + text[meaning.clone()].trim_end_matches([',', '.']).len();
        let says = segment::count_words(&text[meaning.clone()]) >= 4;
        // See “What is a …?” is a title.
        let plain = (1..=TERM_WORDS).contains(&words) && !name.contains([',', '(', ':', ';', '“', '"', '„', '«']);
        // An English definition distinguishes its subject from others of its kind.
        let tells = self.reader.lexicon.code != "en"
            || segment::words_of(&text[meaning.clone()])
                .iter()
                .any(|w| words::has("that which who where whose for of used with between when by", w));
        let person = self.reader.lexicon.code == "en" && is_person(name, &text[meaning.clone()]);
        // "/Developer Program" is more than its last words, and "a major part" judges and doesn't define.
        const SIGNS: [char; 4] = ['/', '\\', '@', '#'];
        let cut = name.starts_with(SIGNS) || text[..term.start].ends_with(SIGNS);
        let judges = self.reader.lexicon.code == "en" && judges(&text[meaning.clone()]);
        (plain && says && !pointing && tells && !person && !cut && !judges).then_some((term, meaning))
    }

    /// Finds the hook, an opening that draws the reader in: a question, or a sentence with a percentage or an amount
    /// of money.
    pub(super) fn hook(&self) -> Option<Candidate> {
        let first = (self.from..self.raws().len()).find(|i| self.raws()[*i].form == Form::Paragraph)?;
        let clean = &self.raws()[first].clean;
        segment::sentences(&clean.text, self.reader.lexicon).into_iter().take(2).enumerate().find_map(|(i, range)| {
            let text = &clean.text[range.clone()];
            let asks = i == 0 && text.ends_with(['?', '？', '؟']);
            let counts = text.chars().any(|c| matches!(c, '%' | '％' | '٪' | '$' | '€' | '£'));
            let fits = text.chars().count() <= 140 && segment::count_words(text) >= 4;
            if !fits || !(asks || counts && stands_alone(text, self.reader.lexicon)) {
                return None;
            }
            let words = clean.sourced(range);
            let span = words.span;
            Some(Candidate { kind: BlockKind::Hook(words), score: if asks { 0.6 } else { 0.55 }, span, claims: false })
        })
    }

    /// Returns the facts of a short text that announces something. A source that declares itself an article announces
    /// nothing. One that declares itself an event or an offer announces that, even without an invitation.
    pub(super) fn announcement(&self, declared: Option<Declared>) -> Option<Candidate> {
        if declared == Some(Declared::Article) {
            return None;
        }
        let texts: Vec<&Clean> =
            self.raws()[self.from..].iter().filter(|r| r.form != Form::Table).map(|r| &r.clean).collect();
        let (mut words, mut bytes) = (0, 0);
        for clean in &texts {
            bytes += clean.text.len();
            if bytes > SHORT_BYTES {
                return None;
            }
            words += segment::count_words(&clean.text);
            if words > SHORT {
                return None;
            }
        }
        let mut facts: Vec<Fact> = Vec::new();
        for clean in texts.iter().copied().chain(self.title) {
            self.facts(clean, &mut facts);
        }
        facts.sort_by_key(|f| f.words.span.start);
        let kinds: BTreeSet<FactKind> = facts.iter().map(|f| f.kind).collect();
        let told = kinds.iter().filter(|k| !matches!(k, FactKind::Url | FactKind::Handle)).count();
        let subject = subject(&kinds, declared)?;
        let span = facts.iter().map(|f| f.words.span).reduce(Span::union)?;
        // A longer text with a date and a time, or with a reduction, may only report about something without
        // inviting.
        if declared.is_none() && words > NOTICE && !self.invites(&texts, &facts) {
            return None;
        }
        let least = if subject == Subject::Announcement { 3 } else { 2 };
        let score = (0.5 + 0.08 * kinds.len() as f32).min(0.95);
        let kind = BlockKind::Announcement(Announcement { subject, facts });
        (told >= least).then_some(Candidate { kind, score, span, claims: false })
    }

    /// Whether a text invites its readers or sells to them, by a phrase or by a label for the place or the speaker.
    fn invites(&self, texts: &[&Clean], facts: &[Fact]) -> bool {
        let labelled =
            |clean: &&Clean| clauses(clean).into_iter().any(|clause| self.label(&clean.text[clause]).is_some());
        let dated = facts.iter().any(|f| f.kind == FactKind::Date);
        texts.iter().copied().chain(self.title).any(|clean| says_any(&clean.text, INVITES))
            || (dated && texts.iter().any(labelled))
    }

    /// Returns the kind of a labelled clause, and the words after the label.
    fn label<'a>(&self, said: &'a str) -> Option<(FactKind, &'a str)> {
        let (label, rest) = said.split_once([':', '：']).filter(|(_, rest)| !rest.trim().is_empty())?;
        let label = label.trim().to_lowercase();
        let kinds = [(self.terms.place, FactKind::Place), (self.terms.speaker, FactKind::Speaker)];
        let (_, kind) = kinds.into_iter().find(|(list, _)| list.split('|').any(|l| l == label))?;
        Some((kind, rest))
    }

    fn facts(&self, clean: &Clean, out: &mut Vec<Fact>) {
        let text = clean.text.as_str();
        let clauses = clauses(clean);
        let clause_of = |at: usize| clauses.iter().find(|c| c.contains(&at)).cloned().unwrap_or(0..text.len());
        let mut taken: Vec<Range<usize>> = Vec::new();
        let mut add = |kind, range: Range<usize>| {
            let fresh = !taken.iter().any(|t| t.start < range.end && range.start < t.end);
            let again = out.iter().any(|f: &Fact| f.kind == kind && f.words.text == text[range.clone()]);
            if fresh && !again && !range.is_empty() {
                taken.push(range.clone());
                out.push(Fact { kind, words: clean.sourced(range) });
            }
        };
        for clause in &clauses {
            if let Some((kind, rest)) = self.label(&text[clause.clone()]) {
                add(kind, trimmed(text, clause.end - rest.len()..clause.end));
            }
        }
        for entity in entities::of(clean, self.reader.lexicon, self.terms) {
            // Find the entity's words in the clean text by their span.
            let Some(range) = place_of(clean, &entity.words) else { continue };
            let clause = clause_of(range.start);
            let said = &text[clause.clone()];
            let brief = said.chars().count() <= FACT;
            let beside = |list: &str| says_any(said, list);
            let whole = if brief { clause.clone() } else { range.clone() };
            match entity.kind {
                EntityKind::Code => add(FactKind::Code, range),
                EntityKind::Percent | EntityKind::Money if beside(self.terms.discount) => {
                    add(FactKind::Discount, whole)
                }
                EntityKind::Money if beside(self.terms.price) || brief => add(FactKind::Price, whole),
                // A year alone is not an appointment.
                EntityKind::Date if text[range.clone()].chars().count() > 5 => add(FactKind::Date, whole),
                EntityKind::Time => {
                    let time = times::whole(text, range);
                    // "Doors at 7 pm" is more precise than the time alone. A full sentence around it is not.
                    let around = segment::count_words(said).saturating_sub(segment::count_words(&text[time.clone()]));
                    let holds = clause.start <= time.start && time.end <= clause.end;
                    add(FactKind::Time, if brief && holds && around <= AROUND { clause } else { time });
                }
                EntityKind::Url => add(FactKind::Url, range),
                EntityKind::Handle => add(FactKind::Handle, range),
                _ => {}
            }
        }
        for clause in &clauses {
            let said = &text[clause.clone()];
            if said.chars().count() > FACT {
                continue;
            }
            if says_any(said, self.terms.free) {
                add(FactKind::Price, clause.clone());
            } else if is_address(said) {
                add(FactKind::Place, clause.clone());
            }
        }
    }
}

/// Returns what facts of these kinds announce, or `None` if they lack what the declared subject needs.
fn subject(kinds: &BTreeSet<FactKind>, declared: Option<Declared>) -> Option<Subject> {
    let has = |kind| kinds.contains(&kind);
    let reduced = has(FactKind::Discount) || has(FactKind::Code);
    match declared {
        Some(Declared::Article) => None,
        Some(Declared::Event) => has(FactKind::Date).then_some(Subject::Event),
        Some(Declared::Offer) => (reduced || has(FactKind::Price)).then_some(Subject::Offer),
        None if reduced => Some(Subject::Offer),
        None if has(FactKind::Date) && (has(FactKind::Time) || has(FactKind::Place)) => Some(Subject::Event),
        None => Some(Subject::Announcement),
    }
}

/// Articles that belong to a meaning or precede a term.
const ARTICLES: &str = "a an the any ein eine der die das un une le la les el los las il lo i gli uno una um uma o os as een de het ένας μια μία ένα ο η το";

/// Splits a text into clauses, at lines, sentence ends, commas and semicolons.
fn clauses(clean: &Clean) -> Vec<Range<usize>> {
    let text = clean.text.as_str();
    let mut cuts: Vec<(usize, usize)> = text
        .char_indices()
        .filter(|(i, c)| {
            let behind = &text[i + c.len_utf8()..];
            match c {
                ',' | ';' | '!' | '?' => behind.starts_with(' ') || behind.is_empty(),
                '.' => {
                    // The periods of "13. Dezember" and "a.m. tomorrow" end nothing.
                    let digit = text[..*i].chars().next_back().is_some_and(char::is_numeric);
                    let mut before = text[..*i].chars().rev();
                    let initials = before.next().is_some_and(char::is_alphabetic) && before.next() == Some('.');
                    (behind.starts_with(' ') || behind.is_empty()) && !digit && !initials
                }
                '。' | '，' | '；' | '！' | '？' | '،' | '।' | '、' => true,
                _ => false,
            }
        })
        .map(|(i, c)| (i, i + c.len_utf8()))
        .collect();
    cuts.extend(clean.breaks.iter().map(|b| (*b, *b)));
    cuts.push((text.len(), text.len()));
    cuts.sort_unstable();
    let mut from = 0;
    let mut out = Vec::new();
    for (end, next) in cuts {
        let range = trimmed(text, from..end.max(from));
        if !range.is_empty() {
            out.push(range);
        }
        from = next.max(from);
    }
    out
}

/// Returns the range of words in a clean text by their span.
fn place_of(clean: &Clean, words: &crate::content::Sourced) -> Option<Range<usize>> {
    clean
        .text
        .match_indices(&words.text)
        .map(|(at, found)| at..at + found.len())
        .find(|r| clean.span(r.clone()) == words.span)
}

/// Whether a clause contains a street: a word for one, and a number or a name next to it.
fn is_address(text: &str) -> bool {
    const STREETS: &str = "street road avenue lane square quay st rd ave boulevard drive rue quai place avenue boulevard allée chemin calle plaza \
        avenida paseo via piazza viale rua praça ulica улица ул площадь проспект caddesi sokak meydanı";
    let words = segment::words_of(text);
    let street = words.iter().any(|w| {
        words::has(STREETS, w)
            || ["straße", "strasse", "gasse", "platz", "allee", "straat", "plein", "gatan"]
                .iter()
                .any(|s| w.ends_with(s) && w.len() > s.len())
    });
    let capital = text.chars().find(|c| c.is_alphanumeric()).is_some_and(|c| c.is_uppercase() || c.is_numeric());
    street && capital && words.len() >= 2 && words.len() <= 8
}

/// Whether a sentence says who a person is rather than what a thing is: a capitalised name and a role. For a forename
/// alone, the role must be the complement of the sentence.
fn is_person(name: &str, meaning: &str) -> bool {
    let named = name.split_whitespace().all(|w| w.starts_with(char::is_uppercase));
    let words = segment::words_of(meaning);
    let role = |w: &String| words::has(ROLES, w);
    named
        && match name.split_whitespace().count() {
            1 => words.iter().take_while(|w| !words::has(LINKS, w)).any(role),
            _ => words.iter().take(ROLE_WORDS).any(role),
        }
}

/// Words that end the complement of a sentence.
const LINKS: &str = "for of that who which whose to in on at with by from and";
/// Words of a meaning within which a role belongs to the person.
const ROLE_WORDS: usize = 10;
/// Roles of people, in English.
const ROLES: &str = "analyst architect author chair chairman chairwoman ceo cto consultant co-founder designer developer \
    director editor engineer fellow founder gardener head lead leader manager officer president professor researcher scientist \
    specialist strategist student teacher writer";
