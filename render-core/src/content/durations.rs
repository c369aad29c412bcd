//! Parses durations: "5 min", "1 h 30 min", "2 Wochen". This suffices to draw them to scale.

use super::number;

/// The seconds of each unit and its names in any language, in lower case, separated by `|`. Words that also name a
/// day of a month ("3日") are left out.
pub(super) const UNITS: [(f64, &str); 7] = [
    (
        1.0,
        "s|sec|secs|second|seconds|sek|sekunde|sekunden|seconde|secondes|seconden|segundo|segundos|secondo|secondi|seg|sn|\
         saniye|сек|с|секунда|секунды|секунд|sekundy|sekund|δευτερόλεπτα|δευτ|ثانية|ثوان|सेकंड|秒|秒間|초",
    ),
    (
        60.0,
        "min|mins|minute|minutes|minuten|minuto|minutos|minuti|minuut|dk|dakika|мин|минута|минуты|минут|minuta|minuty|minut|minutach|\
         λεπτό|λεπτά|دقيقة|دقائق|मिनट|分|分間|分钟|分鐘|분",
    ),
    (
        3_600.0,
        "h|hr|hrs|hour|hours|std|stunde|stunden|heure|heures|hora|horas|ora|ore|uur|uren|saat|sa|ч|час|часа|часов|godz|godzinach|\
         godzina|godziny|godzin|ώρα|ώρες|ساعة|ساعات|घंटा|घंटे|時間|小时|小時|시간",
    ),
    (
        86_400.0,
        "d|day|days|tag|tage|tagen|jour|jours|día|días|dia|dias|giorno|giorni|dag|dagen|gün|день|дня|дней|дням|днях|dzień|dni|dniach|dniom|ημέρα|\
         ημέρες|μέρα|μέρες|يوم|أيام|दिन|日間|天|일",
    ),
    (
        604_800.0,
        "wk|wks|week|weeks|woche|wochen|semaine|semaines|semana|semanas|settimana|settimane|weken|hafta|неделя|недели|недель|\
         tydzień|tygodnie|tygodni|tygodniach|tygodniom|εβδομάδα|εβδομάδες|أسبوع|أسابيع|सप्ताह|हफ्ते|週間|周|주",
    ),
    (
        2_629_800.0,
        "month|months|monat|monate|monaten|mois|mes|meses|mese|mesi|maand|maanden|ay|месяц|месяца|месяцев|miesiąc|miesiące|miesiącach|\
         miesięcy|μήνας|μήνες|شهر|شهرا|شهرًا|أشهر|شهور|महीना|महीने|か月|カ月|ヵ月|箇月|ヶ月|个月|個月|개월",
    ),
    (
        31_557_600.0,
        "yr|yrs|year|years|jahr|jahre|jahren|an|ans|année|années|año|años|ano|anos|anno|anni|jaar|yıl|год|года|лет|rok|lata|lat|latach|roku|\
         χρόνος|χρόνια|سنة|سنوات|वर्ष|साल|年間|년",
    ),
];

/// From this value on, rising hours are read as times of day: "9 h", "11 h", "14 h".
const MORNING: f64 = 6.0 * 3_600.0;

/// Returns the durations that `labels` name, in seconds, or `None` if a label says anything else, or if they read as
/// times of day.
pub fn durations(labels: &[&str]) -> Option<Vec<f64>> {
    let seconds: Vec<f64> = labels.iter().map(|l| duration(l)).collect::<Option<_>>()?;
    let rises = seconds.len() > 1 && seconds.windows(2).all(|w| w[0] < w[1]);
    let clock = rises && seconds[0] >= MORNING && seconds.last().is_some_and(|s| *s <= 86_400.0);
    (!clock).then_some(seconds)
}

/// Parses one duration in seconds: numbers, each with its unit, and nothing else.
fn duration(label: &str) -> Option<f64> {
    let numbers = number::all(label);
    if numbers.first()?.range.start != label.len() - label.trim_start().len() {
        return None;
    }
    let ends = numbers.iter().skip(1).map(|n| n.range.start).chain([label.len()]);
    let parts = numbers.iter().zip(ends).map(|(n, end)| {
        let [value] = n.values[..] else { return None };
        Some(value * unit(label.get(n.range.end..end)?)?)
    });
    let total = parts.sum::<Option<f64>>()?;
    (total > 0.0).then_some(total)
}

/// Returns the seconds of the unit that a word names.
fn unit(word: &str) -> Option<f64> {
    let word = word.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '-' | '\u{2011}')).to_lowercase();
    UNITS.iter().find(|(_, names)| !word.is_empty() && names.split('|').any(|n| n == word)).map(|(s, _)| *s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_in_any_language() {
        assert_eq!(durations(&["5 min", "10 min", "1 h"]), Some(vec![300.0, 600.0, 3_600.0]));
        assert_eq!(durations(&["1 h 30 min", "2 Stunden"]), Some(vec![5_400.0, 7_200.0]));
        assert_eq!(durations(&["1,5 Std.", "30\u{a0}Min."]), Some(vec![5_400.0, 1_800.0]));
        assert_eq!(durations(&["٥ دقائق", "10分", "2 недели"]), Some(vec![300.0, 600.0, 1_209_600.0]));
    }

    #[test]
    fn what_is_no_duration_is_none() {
        for labels in
            [["5 min", "later"], ["5–10 min", "3 min"], ["about 5 min", "3 min"], ["2024", "3 min"], ["3 pears", "1 h"]]
        {
            assert_eq!(durations(&labels), None, "{labels:?}");
        }
        assert_eq!(durations(&["0 min"]), None);
    }

    #[test]
    fn times_of_day_are_no_durations() {
        assert_eq!(durations(&["9 h", "11 h", "14 h"]), None);
        assert_eq!(durations(&["9 h", "8 h"]), Some(vec![32_400.0, 28_800.0]));
    }

    #[test]
    fn no_unit_has_two_lengths() {
        let all = || UNITS.iter().flat_map(|(s, names)| names.split('|').map(move |n| (*s, n)));
        for (s, name) in all() {
            assert_eq!(unit(name), Some(s), "{name:?}");
        }
    }
}
