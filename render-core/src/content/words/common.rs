//! Words that are looked for in texts of every language.

/// Words that only label a call-out, separated by `|`.
pub(crate) const LABELS: &str = "note|notes|tip|tips|info|information|warning|caution|danger|important|attention|hint|remember|nb|n.b|\
    success|example|todo|seealso|see also|callout|aside|fun fact|heads up|pro tip|protip|did you know|did you know?|disclaimer|update|\
    hinweis|achtung|warnung|wichtig|tipp|merke|beachte|info-box|note :|remarque|attention :|astuce|conseil|avertissement|à noter|nota|\
    aviso|advertencia|atención|importante|consejo|sugerencia|avviso|attenzione|suggerimento|consiglio|atenção|dica|observação|\
    let op|opmerking|waarschuwing|belangrijk|примечание|внимание|важно|совет|предупреждение|заметка|σημείωση|προσοχή|συμβουλή|\
    σημαντικό|not|dikkat|uyarı|önemli|ipucu|bilgi|ملاحظة|تنبيه|تحذير|هام|مهم|نصيحة|नोट|ध्यान दें|चेतावनी|सुझाव|महत्वपूर्ण|\
    注|注意|警告|重要|ヒント|メモ|備考|補足|提示|说明|小贴士|备注|參考|참고|주의|경고|팁|uwaga|wskazówka|ważne|obs|bemærk|merk|huom|\
    poznámka|pozor|megjegyzés|notă|atenție|увага|примітка|важливо";

/// Names of months as they appear after a day with a period, in languages that write dates so, separated by `|`.
pub(crate) const ORDINAL_MONTHS: &str = "januar|jänner|februar|feber|märz|april|mai|juni|juli|august|september|oktober|november|\
    dezember|marts|maj|december|mars|desember|tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|\
    syyskuuta|lokakuuta|marraskuuta|joulukuuta|ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince|\
    januára|februára|marca|apríla|mája|júna|júla|augusta|septembra|októbra|novembra|decembra|januarja|februarja|aprila|maja|junija|\
    julija|avgusta|oktobra|siječnja|veljače|ožujka|travnja|svibnja|lipnja|srpnja|kolovoza|rujna|listopada|studenoga|prosinca|\
    januara|februara|marta|juna|jula|jaanuar|veebruar|märts|aprill|juuni|juuli|detsember|jaanuaril|veebruaril|märtsil|aprillil|\
    juunil|juulil|augustil|septembril|oktoobril|novembril|detsembril|janvāris|janvārī|februārī|martā|aprīlī|maijā|jūnijā|jūlijā|augustā|\
    septembrī|oktobrī|novembrī|decembrī|janúar|febrúar|apríl|maí|júní|júlí|ágúst|október|nóvember|jan|feb|mär|apr|aug|sept|okt|nov|dez";
