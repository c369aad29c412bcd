//! Word forms: folds words, and finds the words of the table that a word may be a form of.
//!
//! A form is undone by its ending: "s" is removed, "ies" becomes "y". The result counts only if the table contains it,
//! so a rule needn't be right for every word of its language, and a letter that only looks like an ending does no harm.
//! Stemming would conflate more: "caso" is not a form of "casa", but both have the same stem.

/// Fewest letters that remain when an ending is removed.
const LEAST: usize = 2;

/// The endings of a language, separated by white space: `ending>replacement`.
fn endings(code: &str) -> &'static str {
    match code {
        "en" => "ies>y ves>f ves>fe ches>ch shes>sh sses>ss xes>x zes>z oes>o s>",
        "de" => "innen>in ern> en> er> es> nen> n> e> s> se>",
        "fr" => "eaux>eau aux>al aux>au eux>eu s> x> es>",
        "es" => "ones>ón anes>án ines>ín ces>z es> s> as>o a>o",
        "pt" => "ões>ão ães>ão ãos>ão ais>al éis>el eis>el óis>ol is>l ns>m res>r zes>z ses>s s> as>o",
        "it" => "chi>co ghi>go che>ca ghe>ga ie>ia ie>io i>o i>e e>a e>ia i>io i>a o>i a>e e>i",
        "nl" => "jes> je> tjes> eren> zen>s ven>f en> s> n> e> ën> 's>",
        "sv" => "arna> orna>a erna> erna>e arna>e ens> ets> ar> ar>e or>a er> en> et> et>e n> t> na> s> en>e",
        "no" | "da" => "erne> ene> ene>e ens> ets> er> er>e en> et> e> ne> r> n> t> s>",
        "fi" => FINNISH,
        "hu" => HUNGARIAN,
        "tr" => TURKISH,
        "pl" => POLISH,
        "cs" | "sk" => CZECH,
        "ru" => RUSSIAN,
        "uk" => {
            "ами> ами>а ями>я ів> ів>о ей>ь ою>а ею>я ом> ем>ь ам>а ах>а ки>ок ку>ка ки>ка ії>ія и> и>а і> і>а і>о у> у>а ю>я ю>ь ї>я а> а>о я>ь я>е"
        }
        "bg" => "овете> ове> ите> ите>а ите>о ият>и ата>а ята>я та> ето>е ото>о то> те> ът> ят> а> и> и>а и>я я>",
        "ro" => {
            "urile> uri> ului> elor>e ilor> ile>e ile>ă ele>ă ele> ul> le>e lui> ea>e ua> a>ă ii> i> i>e i>ă e>ă e>"
        }
        "el" => {
            "οι>ος ου>ος ους>ος ο>ος ον>ος ων>ος ων>ο ες>α ες>η ες>ας ας>α ης>η α>ο ια>ι ιού>ι εις>η ών>ά ών>ό ά>ό ές>ή ής>ή ού>ό ς> ματα>μα ματος>μα"
        }
        "ar" => "ات>ة ات> تين>ة ين> ون> ان> تي>ة تك>ة ته>ة تها>ة ها> هم> نا> ي> ك> ه> ا> ية>",
        "fa" => "هایی> های> ها> ی> ان> ای>ه",
        "he" => "ים> יים> ות>ה ות> ות>ת ת>ה יות>ית י>",
        "hi" => "ियों>ी ियाँ>ी ियां>ी ों>ा ों> ें> ओं> े>ा एँ>",
        "bn" => "গুলি> গুলো> টি> টা> ের> র> ে> কে> রা>",
        "ta" => "கள்> களை> க்கள்> ங்கள்>ம் களின்> யின்> ின்> ை> ில்>",
        "ko" => {
            "에서는> 에서> 으로> 에게> 까지> 부터> 하기> 하세요> 하라> 합니다> 하는> 하여> 해> 이나> 은> 는> 이> 가> 을> 를> 의> 에> 로> 와> 과> 도> 만> 들>"
        }
        "id" | "ms" => "nya> an> kan> ku> mu>",
        "sw" => "ni>",
        "tl" => "ng> s>",
        _ => "",
    }
}

const FINNISH: &str = "oilla>a oille>a oissa>a oista>a oihin>a oiden>a oita>a öillä>ä öille>ä öissä>ä öistä>ä öihin>ä \
    öiden>ä öitä>ä eilla>i eille>i eissa>i eista>i eihin>i eita>i eillä>i eissä>i eistä>i eitä>i eiden>i eja>i ejä>i \
    set>nen sen>nen sia>nen siä>nen sille>nen sten>nen issa> issä> ista> istä> illa> illä> ille> ilta> iltä> \
    ssa> ssä> sta> stä> lla> llä> lle> lta> ltä> ksi> tta> ttä> seen>si seen>se hin> hen> \
    imet>in imen>in imia>in imissa>in kset>s ksen>s ksia>s ksessa>s eet>e een>e eita>e eitä>e ien>i ien>a jen> ojen>a \
    et>i en>i ia>i iä>i iä>ä ia>a oja>a ojä>ä öjä>ä ua>u yä>y in> an>a än>ä un>u yn>y on>o ön>ö ta> tä> na> nä> \
    t> n> a> ä>";

const HUNGARIAN: &str = "ákat>a éket>e ákban>a ában>a ében>e ából>a ához>a ával>a ével>e ának>a ának>e ák>a ék>e át>a ét>e \
    okat> eket> akat> öket> okban> ekben> ban> ben> ból> ből> hoz> hez> höz> nak> nek> val> vel> ra> re> ról> ről> \
    ok> ek> ak> ök> k> ot> et> at> öt> t> ja> je> a> e> i> ói>ó ei>";

const TURKISH: &str = "larını> lerini> larının> lerinin> larında> lerinde> ları> leri> ların> lerin> lara> lere> larda> lerde> \
    lar> ler> sının> sinin> sını> sini> sında> sinde> sı> si> su> sü> nın> nin> nun> nün> ının> inin> ını> ini> unu> ünü> \
    ında> inde> unda> ünde> ın> in> un> ün> yı> yi> yu> yü> nı> ni> ya> ye> da> de> ta> te> dan> den> tan> ten> la> le> \
    yla> yle> ı> i> u> ü> a> e> ım> im> um> üm> m>";

const POLISH: &str = "ami> ami>a ami>o ach>a ach> ach>o kami>ek kami>ka ków>ek ki>ek ki>ka kiem>ek ku>ek kiem>k ów> ów>o \
    iem> em> owi> om>a om> cy>ec cami>ec ców>ec nie>ń ści>ść zy>rz y> y>a i> i>a i>ia i>ń ie> ie>a e> e>a ę>a ą>a ej>a o>a \
    u> u>o a> a>o a>e ia>ie ek>ka ie>o ni>nia zki>zka";

const CZECH: &str = "ami> ami>a ách>a ech> ům> ám>a ům>o kami>ka ky>ek ky>ka ků>ek kem>ek kou>ka ce>ec ců>ec ů> ů>o ou>a em> em>o \
    ě>a ě> ě>o y> y>a i> i>a e> e>a e>o u> u>a u>o a> a>o í>e í> ovi> ek>ka ov> ov>o och> och>a mi> ia> ie>";

const RUSSIAN: &str = "ями>я ями>ь ами>а ами> ами>о ах>а ах> ах>о ям>я ам>а ам> ков>ок ки>ок ки>ка кой>ка ку>ка ками>ок \
    цы>ец ии>ия ий>ия ию>ия ий>ие ия>ие ями>ие ой>а ей>я ей>ь ом> ом>о ем>ь ем>е ов> ев>й ы> ы>а и> и>а и>ь и>я и>й е> е>а \
    е>о е>я у> у>а у>о ю>я ю>ь ю>й а> а>о я>ь я>й я>е ек>ка ок>ка ов>о";

/// Prefixes that are written before a noun without a space, separated by white space: articles, and prepositions of one
/// letter.
fn prefixes(code: &str) -> &'static str {
    match code {
        "ar" => "وال بال كال فال لل ال و ب ل",
        "he" => "וה שה ה ב ל מ ו כ",
        _ => "",
    }
}

/// Folds a word to the form in the table: lower case, without vowel marks, with variants of a letter unified.
pub(super) fn folded(word: &str, code: &str) -> String {
    let lower = match code {
        // In Turkish, the capital of ı is I, and that of i is İ.
        "tr" => word.replace('I', "ı").replace('İ', "i").to_lowercase(),
        _ => word.to_lowercase(),
    };
    match code {
        "ru" => lower.replace('ё', "е"),
        "ar" | "fa" => {
            let yeh = if code == "fa" { 'ی' } else { 'ي' };
            let one = |c: char| match c {
                '\u{64b}'..='\u{652}' | '\u{640}' | '\u{200c}' => None,
                'أ' | 'إ' | 'آ' => Some('ا'),
                'ى' | 'ي' => Some(yeh),
                c => Some(c),
            };
            lower.chars().filter_map(one).collect()
        }
        "he" => lower.chars().filter(|c| !('\u{591}'..='\u{5c7}').contains(c)).collect(),
        _ => lower,
    }
}

/// Returns the words that a word may be a form of, itself first. Some of them may not exist.
pub(super) fn bases(word: &str, code: &str) -> Vec<String> {
    let mut out = vec![word.to_owned()];
    undone(word, code, &mut out);
    for prefix in prefixes(code).split_whitespace() {
        if let Some(rest) = word.strip_prefix(prefix).filter(|rest| rest.chars().count() > LEAST) {
            out.push(rest.to_owned());
            undone(rest, code, &mut out);
        }
    }
    out
}

/// Endings of verbs, in the form of [`endings`]: they lead from imperatives, participles and finite forms to the
/// infinitive.
fn verb_endings(code: &str) -> &'static str {
    match code {
        "en" => "ing> ing>e ied>y ed> ed>e",
        "de" => "e>en t>en t>n st>en te>en",
        "fr" => "ez>er ez>re e>er é>er ée>er és>er ées>er ent>er ant>er issez>ir",
        "es" => "ando>ar iendo>er iendo>ir a>ar e>er e>ir e>ar en>ar an>ar an>er que>car gue>gar ce>zar ado>ar ido>ir",
        "pt" => "ando>ar endo>er indo>ir a>ar e>er e>ir e>ar a>er a>ir em>ar am>er que>car gue>gar ado>ar ido>ir",
        "it" => "ando>are endo>ere endo>ire a>are i>ere i>ire i>are ate>are ete>ere ite>ire ato>are",
        "nl" => ">en >n t>en d>en",
        "sv" => ">a ar>a er>a ade>a at>a",
        "tr" => ">mek >mak me>mek ma>mak in>mek ın>mak iyor>mek ıyor>mak",
        "ru" => "уйте>овать йте>ть ите>ить й>ть и>ить ем>ть",
        "uk" => "уйте>увати йте>ти іть>ити те>ити й>ти и>ити",
        _ => "",
    }
}

/// Returns the infinitives that a word may be a form of.
pub(super) fn verbs(word: &str, code: &str) -> Vec<String> {
    let mut out = Vec::new();
    for rule in verb_endings(code).split_whitespace() {
        let Some((ending, instead)) = rule.split_once('>') else { continue };
        let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.chars().count() >= LEAST) else { continue };
        out.push(format!("{stem}{instead}"));
        // "planning", "stopped": the final consonant is doubled.
        let mut last = stem.chars().rev();
        if code == "en" && instead.is_empty() && last.next() == last.next() && stem.is_ascii() {
            out.push(stem[..stem.len() - 1].to_owned());
        }
    }
    out
}

/// Adds the word without each of its endings.
fn undone(word: &str, code: &str, out: &mut Vec<String>) {
    for rule in endings(code).split_whitespace() {
        let Some((ending, instead)) = rule.split_once('>') else { continue };
        let Some(stem) = word.strip_suffix(ending) else { continue };
        let letters = stem.chars().count();
        if letters < LEAST || letters == LEAST && instead.is_empty() && code != "ko" {
            continue;
        }
        if code == "nl"
            && ending == "en"
            && let Some(respelt) = respelt(stem)
        {
            out.push(respelt);
            continue;
        }
        out.push(format!("{stem}{instead}"));
        match code {
            "de" => out.extend(unrounded(stem).map(|plain| format!("{plain}{instead}"))),
            "fi" => strengthened(stem, instead, out),
            "tr" => out.extend(hardened(stem)),
            _ => {}
        }
    }
    if code == "de" {
        out.extend(unrounded(word));
    }
}

/// German: replaces the last umlaut by the plain vowel ("häus" of "Haus").
fn unrounded(stem: &str) -> Option<String> {
    let (at, vowel) = stem.char_indices().rev().find(|(_, c)| "äöü".contains(*c))?;
    let plain = match vowel {
        'ä' => "a",
        'ö' => "o",
        _ => "u",
    };
    Some(format!("{}{plain}{}", &stem[..at], &stem[at + vowel.len_utf8()..]))
}

/// Dutch: respells a stem without its ending: "katt" becomes "kat", "bom" becomes "boom".
fn respelt(stem: &str) -> Option<String> {
    let mut letters = stem.chars().rev();
    let (last, before, third) = (letters.next()?, letters.next()?, letters.next());
    let is_vowel = |c: char| "aeou".contains(c);
    if last == before && !is_vowel(last) {
        return Some(stem[..stem.len() - last.len_utf8()].to_owned());
    }
    (!is_vowel(last) && is_vowel(before) && third.is_some_and(|c| !is_vowel(c)))
        .then(|| format!("{}{before}{last}", &stem[..stem.len() - last.len_utf8()]))
}

/// Finnish: converts the last consonants of a stem from weak to strong grade: "lamp" of "lamput" becomes "lampp".
fn strengthened(stem: &str, instead: &str, out: &mut Vec<String>) {
    let open = format!("{stem}{instead}");
    let vowel = |c: char| "aeiouyäö".contains(c);
    let Some((at, last)) = open.char_indices().rev().find(|(_, c)| !vowel(*c)) else { return };
    let end = at + last.len_utf8();
    let (body, rest) = open.split_at(end);
    for (weak, strong) in [
        ("ng", "nk"),
        ("nn", "nt"),
        ("mm", "mp"),
        ("ll", "lt"),
        ("rr", "rt"),
        ("k", "kk"),
        ("p", "pp"),
        ("t", "tt"),
        ("v", "p"),
        ("d", "t"),
    ] {
        if let Some(before) = body.strip_suffix(weak) {
            out.push(format!("{before}{strong}{rest}"));
        }
    }
}

/// Turkish: hardens a final consonant that is soft before a vowel: "kitab" of "kitabı" becomes "kitap".
fn hardened(stem: &str) -> Option<String> {
    let last = stem.chars().next_back()?;
    let hard = match last {
        'b' => 'p',
        'c' => 'ç',
        'd' => 't',
        'ğ' => 'k',
        _ => return None,
    };
    Some(format!("{}{hard}", &stem[..stem.len() - last.len_utf8()]))
}
