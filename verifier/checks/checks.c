#include "verifier/checks/checks.h"

#include "verifier/checks/page/older.h"

#include "verifier/checks/rules.h"
#include "verifier/proofs/proof.h"
#include "verifier/proofs/trial.h"

#include <string.h>

/* clang-format off */
static const struct check checks[] = {
    {.id = "FP1001", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING) | CHECKS_ALSO(SEVERITY_NOTICE),
     .page = check_cell_count,
     .title = {"单元格个数", "Cells of a row"},
     .statement = "Every row of a table has as many cells as its header, with a rule between them."},
    {.id = "FP1003", .since = "2026.1", .severity = SEVERITY_ERROR, .claim = check_swapped,
     .title = {"列错位", "Swapped columns"},
     .statement = "No figure stands in a column that is not its own."},
    {.id = "FP1004", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING),
     .claim = check_numbers,
     .older = older_check_numbers,
     .title = {"数字", "Numbers"},
     .statement = "What stands in a column of figures is a figure, or says why there is none."},
    {.id = "FP1005", .since = "2026.1", .severity = SEVERITY_NOTICE, .page = check_empty_fields,
     .title = {"空字段", "Empty fields"},
     .statement = "Every field of the environment has a value, once, and so have the main rows of "
                  "the general table; '/' says that it is withheld."},
    {.id = "FP1006", .since = "2026.1", .severity = SEVERITY_NOTICE, .page = check_foreign_heading,
     .needs_records = true,
     .title = {"标题中的厂商", "Vendor in headings"},
     .statement = "No heading names another vendor or another vendor's card."},
    {.id = "FP1007", .since = "2026.1", .severity = SEVERITY_ERROR, .page = check_row_reference,
     .title = {"引用的行", "Rows referred to"},
     .statement = "A row that the text refers to by number is in the table."},
    {.id = "FP1008", .since = "2026.1", .severity = SEVERITY_NOTICE, .page = check_mfu_form,
     .title = {"MFU写法", "Form of MFU"},
     .statement = "MFU is printed as a percentage, with its sign."},
    {.id = "FP1009", .since = "2026.1", .severity = SEVERITY_ERROR, .page = check_size,
     .title = {"规模", "Size"},
     .statement = "A result has no more rows, batch sizes, accelerators and evidence than are "
                  "checked."},
    {.id = "FP1010", .since = "2026.2", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .page = check_announced,
     .title = {"指标的列", "Columns of metrics"},
     .statement = "A metric that the general table announces has a column in the tables of "
                  "figures."},
    {.id = "FP1011", .since = "2026.2", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_ERROR) | CHECKS_ALSO(SEVERITY_NOTICE),
     .page = check_doubled,
     .older = older_check_doubled,
     .title = {"重复的行", "Rows given twice"},
     .statement = "No row of figures stands there twice, or has those of another size or model; rows "
                  "of one configuration differ in what they set."},
    {.id = "FP1012", .since = "2026.2", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .page = check_substance,
     .title = {"内容", "Substance"},
     .statement = "A page has an environment and a table of figures, and a figure in it."},
    {.id = "FP1013", .since = "2026.2", .severity = SEVERITY_WARNING, .page = check_precision,
     .title = {"数据精度", "Precision"},
     .statement = "The precision of the general table is the one of the rows."},
    {.id = "FP1014", .since = "2026.2", .severity = SEVERITY_NOTICE, .page = check_reminders,
     .title = {"未完成的标记", "Reminders"},
     .statement = "No reminder of the author is left in the page."},
    {.id = "FP1015", .since = "2026.2", .severity = SEVERITY_ERROR, .page = check_conflicts,
     .title = {"合并冲突", "Merge conflicts"},
     .statement = "No conflict of a merge is left in the page."},
    {.id = "FP1016", .since = "2026.2", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING),
     .claim = check_twins,
     .needs_records = true,
     .older = older_check_twins,
     .title = {"其他结果的数值", "Figures of another result"},
     .statement = "No row has the times and rates of another vendor's or case's row, to the last "
                  "digit."},
    {.id = "FP2001", .since = "2026.1", .severity = SEVERITY_ERROR, .proof = check_alignment,
     .needs_records = true,
     .quotes = CHECK_OF_LOG | CHECK_OF_RUN,
     .title = {"精度对齐", "Loss alignment"},
     .statement = "From the case's first compared step on, the mean over steps of |loss - "
                  "reference| / |reference| is below the limit (2 %)."},
    {.id = "FP2002", .since = "2026.1", .severity = SEVERITY_ERROR, .proof = check_throughput,
     .quotes = CHECK_OF_LOG | CHECK_OF_CASE | CHECK_OF_RUN | CHECK_OF_MACHINE,
     .title = {"吞吐量", "Throughput"},
     .statement = "token/p/s (tokens per second per card) is what the steps of the log give by the "
                  "case's convention."},
    {.id = "FP2003", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING),
     .claim = check_mfu,
     .needs_records = true,
     .title = {"MFU", "MFU"},
     .statement = "MFU is factor * N * tokens per second per card / peak, to one unit in its last "
                  "printed place."},
    {.id = "FP2004", .since = "2026.1", .severity = SEVERITY_ERROR, .page = check_global_batch,
     .title = {"全局批尺寸", "Global batch"},
     .statement = "The global batch is LBS * GAS * DP, and in tokens that times the length "
                  "(K = 1024, M = 1024 * 1024)."},
    {.id = "FP2005", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .claim = check_world_size,
     .title = {"并行规模", "World size"},
     .statement = "TP * PP * DP is the number of cards, or of devices where a card shows several."},
    {.id = "FP2006", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .claim = check_config_words,
     .older = older_check_words,
     .title = {"配置写法", "Words of the configuration"},
     .statement = "Nodes and cards in words agree with the bracket (nodes x cards)."},
    {.id = "FP2007", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING),
     .claim = check_memory,
     .needs_records = true,
     .title = {"存储", "Memory"},
     .statement = "Memory used is at most the total, and the total at most what the card has."},
    {.id = "FP2008", .since = "2026.1", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .claim = check_target,
     .older = older_check_target,
     .title = {"目标", "Target"},
     .statement = "A score that is printed with its target reaches it, and a deviation beside "
                  "'aligned' its limit."},
    {.id = "FP2009", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING),
     .proof = check_final_loss,
     .quotes = CHECK_OF_LOG | CHECK_OF_RUN,
     .title = {"最终损失", "Final loss"},
     .statement = "The stated loss is that of the last step in the log."},
    {.id = "FP2010", .since = "2026.1", .severity = SEVERITY_ERROR, .claim = check_expression,
     .title = {"算式", "Expressions"},
     .statement = "An expression gives the result that is printed behind it."},
    {.id = "FP2011", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING),
     .claim = check_mfu_limit,
     .title = {"MFU上限", "Limit of MFU"},
     .statement = "MFU lies between 0 % and 100 %, and so does the one that a throughput without it "
                  "implies."},
    {.id = "FP2012", .since = "2026.1", .severity = SEVERITY_ERROR, .proof = check_peak_memory,
     .quotes = CHECK_OF_LOG | CHECK_OF_MONITOR | CHECK_OF_MACHINE,
     .title = {"存储峰值", "Peak memory"},
     .statement = "Memory used is the largest sample of the monitors."},
    {.id = "FP2013", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING),
     .proof = check_evidence_mfu,
     .needs_records = true,
     .quotes = CHECK_OF_LOG | CHECK_OF_CASE | CHECK_OF_RUN | CHECK_OF_MACHINE,
     .title = {"由日志计算的MFU", "MFU from the log"},
     .statement = "MFU is what the throughput of the log gives."},
    {.id = "FP2014", .since = "2026.1", .severity = SEVERITY_ERROR, .proof = check_final_values,
     .quotes = CHECK_OF_LOG | CHECK_OF_RUN,
     .title = {"日志末尾的数值", "Final values"},
     .statement = "Times, rates and scores are those that the log ends with."},
    {.id = "FP2015", .since = "2026.1", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .page = check_scaling,
     .title = {"扩展性", "Scaling"},
     .statement = "Throughput per card stays within 0.6 and 1.25 times that of the smallest size, "
                  "and more cards do more."},
    {.id = "FP2016", .since = "2026.1", .severity = SEVERITY_WARNING, .page = check_rates,
     .title = {"吞吐量的次序", "Order of rates"},
     .statement = "p_core is at least p_train, and p_train at least p_whole."},
    {.id = "FP2017", .since = "2026.2", .severity = SEVERITY_ERROR, .claim = check_bounds,
     .older = older_check_seconds,
     .title = {"取值范围", "Possible values"},
     .statement = "Times, rates, losses and memory are more than nothing, and no score is more "
                  "than 100 %."},
    {.id = "FP2018", .since = "2026.2", .severity = SEVERITY_WARNING, .claim = check_form,
     .older = older_check_form,
     .title = {"比例与百分数", "Ratio or percentage"},
     .statement = "A column of scores holds ratios or percentages, not both."},
    {.id = "FP2019", .since = "2026.2", .severity = SEVERITY_ERROR, .page = check_mfu_proportion,
     .title = {"MFU与吞吐量之比", "MFU in proportion"},
     .statement = "Rows of one card and precision have MFU in proportion to their tokens per second "
                  "per card."},
    {.id = "FP2020", .since = "2026.2", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .claim = check_peer_loss,
     .needs_records = true,
     .title = {"各厂商的损失", "Losses of others"},
     .statement = "The loss of a case is within a factor of 1.5 of what other vendors state "
                  "for it."},
    {.id = "FP2021", .since = "2026.2", .severity = SEVERITY_WARNING, .claim = check_memory_total,
     .needs_records = true,
     .title = {"存储总量", "Total of memory"},
     .statement = "The total in used/total is the memory of the card, or of one of its devices."},
    {.id = "FP2022", .since = "2026.2", .severity = SEVERITY_ERROR, .page = check_notes,
     .title = {"备注中的MFU", "MFU in notes"},
     .statement = "An MFU that a note computes starts from a throughput of the tables, and is "
                  "computed right."},
    {.id = "FP2023", .since = "2026.2", .severity = SEVERITY_WARNING,
     .claim = check_expression_cards,
     .title = {"算式中的卡数", "Cards in expressions"},
     .statement = "An expression multiplies or divides by the cards of its row."},
    {.id = "FP2024", .since = "2026.2", .severity = SEVERITY_WARNING, .page = check_page_loss,
     .title = {"本页的损失", "Losses of one table"},
     .statement = "No loss is three times smaller or larger than all others of its table and stage."},
    {.id = "FP2025", .since = "2026.2", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .claim = check_peer_scores,
     .needs_records = true,
     .title = {"各厂商的得分", "Scores of others"},
     .statement = "The score of a case is within a factor of 1.5 of what other vendors state "
                  "for it."},
    {.id = "FP2032", .since = "2026.2", .severity = SEVERITY_WARNING, .proof = check_printed,
     .quotes = CHECK_OF_LOG | CHECK_OF_CASE | CHECK_OF_MACHINE,
     .title = {"日志自身的数值", "Figures printed by the log"},
     .statement = "The rates and the MFU that a log prints at its end follow from its own steps, "
                  "samples and times."},
    {.id = "FP2033", .since = "2026.2", .severity = SEVERITY_WARNING, .proof = check_reached,
     .quotes = CHECK_OF_LOG,
     .title = {"达到目标", "Target reached"},
     .statement = "A run that says whether it reached its target did."},
    {.id = "FP2034", .since = "2026.2", .severity = SEVERITY_NOTICE, .proof = check_power,
     .quotes = CHECK_OF_MONITOR,
     .title = {"监控", "Monitors"},
     .statement = "Every monitor beside the training has readings."},
    {.id = "FP3001", .since = "2026.1", .severity = SEVERITY_ERROR, .page = check_accelerator,
     .needs_records = true,
     .title = {"表中的加速卡", "Card of the rows"},
     .statement = "The card that a row names is one that the environment names."},
    {.id = "FP3002", .since = "2026.1", .severity = SEVERITY_ERROR, .page = check_device,
     .needs_records = true,
     .title = {"硬件设备简称", "Device"},
     .statement = "The device of the general table is the environment's card."},
    {.id = "FP3004", .since = "2026.1", .severity = SEVERITY_ERROR, .claim = check_card_memory,
     .needs_records = true,
     .title = {"加速卡存储", "Memory of the card"},
     .statement = "The card memory that a row names is that of the environment's card."},
    {.id = "FP3005", .since = "2026.1", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .page = check_config_file,
     .title = {"配置文件", "Configuration file"},
     .statement = "The configuration file of the batch sizes is of a size that the table has."},
    {.id = "FP3006", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .page = check_strategy,
     .title = {"并行策略", "Parallel strategy"},
     .statement = "A parallel plan named in the strategy fits a row of the table."},
    {.id = "FP3007", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING),
     .claim = check_config_name,
     .title = {"配置名", "Name of the configuration"},
     .statement = "The sizes in a configuration's name are those of its row."},
    {.id = "FP3008", .since = "2026.1", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .page = check_config_card,
     .needs_records = true,
     .title = {"配置文件的加速卡", "Card of the configuration file"},
     .statement = "The configuration file of the batch sizes is of a card that the page has."},
    {.id = "FP3009", .since = "2026.1", .severity = SEVERITY_NOTICE, .page = check_heading_card,
     .needs_records = true,
     .title = {"标题中的加速卡", "Card in headings"},
     .statement = "A card that a heading of the environment names is one that the page has."},
    {.id = "FP3010", .since = "2026.2", .severity = SEVERITY_WARNING, .page = check_file_there,
     .title = {"配置文件是否存在", "Configuration file there"},
     .statement = "A configuration file that the page names is in its case's folder of the "
                  "FlagPerf checkout."},
    {.id = "FP3011", .since = "2026.2", .severity = SEVERITY_WARNING, .page = check_defaults,
     .title = {"配置文件中的默认值", "Defaults"},
     .statement = "A batch size that the page gives as the default is what the configuration "
                  "file has."},
    {.id = "FP3012", .since = "2026.2", .severity = SEVERITY_ERROR, .page = check_model,
     .needs_records = true,
     .title = {"模型", "Model"},
     .statement = "The model of the general table is the one of the case."},
    {.id = "FP3013", .since = "2026.2", .severity = SEVERITY_ERROR, .page = check_driver,
     .needs_records = true,
     .title = {"驱动", "Driver"},
     .statement = "The driver is one for cards of the result's vendor."},
    {.id = "FP3014", .since = "2026.2", .severity = SEVERITY_ERROR, .page = check_machine,
     .needs_records = true,
     .title = {"其他厂商的硬件", "Hardware of others"},
     .statement = "Machine and card of the environment are not those of another vendor."},
    {.id = "FP3015", .since = "2026.2", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .page = check_peer_metrics,
     .needs_records = true,
     .title = {"各厂商的指标", "Metrics of others"},
     .statement = "The result is stated in a metric that other vendors use for the same case."},
    {.id = "FP3016", .since = "2026.2", .severity = SEVERITY_WARNING, .page = check_machine_card,
     .needs_records = true,
     .title = {"机器与加速卡", "Machine and card"},
     .statement = "The card that the machine's name contains is the environment's card."},
    {.id = "FP3017", .since = "2026.2", .severity = SEVERITY_WARNING, .page = check_paths,
     .needs_records = true,
     .title = {"路径", "Paths"},
     .statement = "Paths into FlagPerf are those of the result's vendor and model."},
    {.id = "FP3018", .since = "2026.2", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_NOTICE),
     .page = check_kind,
     .title = {"用例的任务、数据集与指标", "Task, data set and metric"},
     .statement = "Task, data set and score are not those of another kind of model."},
    {.id = "FP3019", .since = "2026.2", .severity = SEVERITY_WARNING, .page = check_spelling,
     .needs_records = true,
     .title = {"卡名与模型名的写法", "Spelling of names"},
     .statement = "No card or model that is not known has almost the name of one that is."},
    {.id = "FP4001", .since = "2026.1", .severity = SEVERITY_ERROR, .proof = check_archive,
     .sealed = true,
     .quotes = CHECK_OF_NOTHING,
     .title = {"证据文件", "The archive"},
     .statement = "The submission is the file whose SHA-256 the record states."},
    {.id = "FP4002", .told = true, .since = "2026.1", .severity = SEVERITY_ERROR, .proof = check_manifest,
     .sealed = true,
     .quotes = CHECK_OF_NOTHING,
     .title = {"证据清单", "The manifest"},
     .statement = "Every file of the submission is what its manifest says."},
    {.id = "FP4003", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING),
     .proof = check_run_state,
     .quotes = CHECK_OF_RUN,
     .title = {"运行状态", "State of the run"},
     .statement = "The run is complete and of the result's case."},
    {.id = "FP4004", .since = "2026.1", .severity = SEVERITY_ERROR, .proof = check_case,
     .needs_records = true,
     .quotes = CHECK_OF_LOG | CHECK_OF_CASE | CHECK_OF_MACHINE,
     .title = {"用例", "The case"},
     .statement = "The case that was run is the published one, on its data."},
    {.id = "FP4005", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING) | CHECKS_ALSO(SEVERITY_NOTICE),
     .proof = check_log,
     .quotes = CHECK_OF_LOG | CHECK_OF_CASE | CHECK_OF_RUN,
     .title = {"训练日志", "The log"},
     .statement = "The log can be read, has all steps of the case, and does not contradict "
                  "itself."},
    {.id = "FP4006", .since = "2026.1", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_NOTICE), .proof = check_environment,
     .quotes = CHECK_OF_MACHINE,
     .title = {"环境", "The environment"},
     .statement = "The environment is the same by all who say it: record, fingerprint, log, monitors, "
                  "case."},
    {.id = "FP4007", .since = "2026.1", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_ERROR) | CHECKS_ALSO(SEVERITY_NOTICE),
     .proof = check_clock,
     .quotes = CHECK_OF_LOG | CHECK_OF_MONITOR | CHECK_OF_RUN,
     .title = {"时间", "The clock"},
     .statement = "The steps take as long as the time stamps of the log say."},
    {.id = "FP4008", .since = "2026.1", .severity = SEVERITY_ERROR, .proof = check_settings,
     .quotes = CHECK_OF_CASE,
     .title = {"运行设置", "Settings of the run"},
     .statement = "Batch sizes, precision and model that are stated are those of the case that "
                  "was run."},
    {.id = "FP4009", .since = "2026.2", .severity = SEVERITY_ERROR, .proof = check_run_files,
     .quotes = CHECK_OF_RUN,
     .title = {"运行留下的文件", "Files of the run"},
     .statement = "Every file that run.json names is as the run left it when it ended."},
    {.id = "FP4010", .since = "2026.2", .severity = SEVERITY_ERROR, .proof = check_run_json,
     .quotes = CHECK_OF_LOG | CHECK_OF_MONITOR | CHECK_OF_RUN | CHECK_OF_MACHINE,
     .title = {"运行说明", "run.json"},
     .statement = "What run.json says of names, times and the end of the run fits its files."},
    {.id = "FP4011", .since = "2026.2", .severity = SEVERITY_WARNING, .proof = check_lonely_losses,
     .quotes = CHECK_OF_LOG,
     .title = {"孤立的损失值", "Single losses"},
     .statement = "No loss jumps by half and back within one step."},
    {.id = "FP4012", .since = "2026.2", .severity = SEVERITY_ERROR, .proof = check_finished,
     .quotes = CHECK_OF_LOG | CHECK_OF_CASE | CHECK_OF_MACHINE,
     .title = {"日志的结尾", "End of the log"},
     .statement = "What the log says of its steps at its end is what its steps give."},
    {.id = "FP4013", .since = "2026.2", .severity = SEVERITY_WARNING,
     .also = CHECKS_ALSO(SEVERITY_NOTICE), .proof = check_measured, .needs_records = true,
     .quotes = CHECK_OF_LOG | CHECK_OF_CASE | CHECK_OF_MACHINE,
     .title = {"实测能力", "What was measured here"},
     .statement = "What the run achieved, and the peak that its MFU is held to, fit the matrix "
                  "products that were measured on its machine."},
    {.id = "FP4014", .since = "2026.2", .severity = SEVERITY_ERROR, .proof = check_said,
     .quotes = CHECK_OF_CASE | CHECK_OF_RUN | CHECK_OF_MACHINE,
     .title = {"运行声明", "The statement"},
     .statement = "The statement of a submission says of the run what its files say."},
    {.id = "FP4015", .told = true, .since = "2026.2", .severity = SEVERITY_ERROR,
     .also = CHECKS_ALSO(SEVERITY_WARNING), .proof = check_signature, .sealed = true,
     .quotes = CHECK_OF_NOTHING,
     .title = {"签名", "The signature"},
     .statement = "A submission is signed by its vendor, with a key that counts."},
    {.id = "FP4016", .since = "2026.2", .severity = SEVERITY_WARNING, .proof = check_date,
     .quotes = CHECK_OF_RUN,
     .title = {"运行日期", "The date"},
     .statement = "A run ended on a day that can be: not before 2017, not after the archive got it, "
                  "not behind the date of the site."},
    {.id = "FP5001", .since = "2026.2", .severity = SEVERITY_ERROR, .trial = check_trial_archive,
     .quotes = CHECK_OF_RUN,
     .title = {"重现的证据", "Archive of a reproduction"},
     .statement = "The archive of a reproduction is whole, and the file whose SHA-256 its record "
                  "states."},
    {.id = "FP5002", .since = "2026.2", .severity = SEVERITY_ERROR, .trial = check_trial_case,
     .quotes = CHECK_OF_ALL,
     .title = {"重现的用例", "Case of a reproduction"},
     .statement = "A reproduction ran the case of the result, on its data, to its end."},
    {.id = "FP5003", .since = "2026.2", .severity = SEVERITY_ERROR, .trial = check_trial_copy,
     .quotes = CHECK_OF_NOTHING,
     .title = {"另一次运行", "A second run"},
     .statement = "A reproduction is another run than the evidence, and counted once."},
    {.id = "FP5004", .since = "2026.2", .severity = SEVERITY_ERROR, .trial = check_trial_record,
     .quotes = CHECK_OF_ALL,
     .title = {"重现的记录", "Record of a reproduction"},
     .statement = "What the record of a reproduction says is what its archive gives beside the "
                  "evidence."},
    {.id = "FP5005", .since = "2026.2", .severity = SEVERITY_WARNING, .trial = check_trial_outcome,
     .quotes = CHECK_OF_ALL,
     .title = {"重现的结果", "Outcome of a reproduction"},
     .statement = "A reproduction agrees with the result in loss and in the figures that can be "
                  "compared."},
    {.id = "FP5006", .since = "2026.2", .severity = SEVERITY_WARNING,
     .trial = check_trial_replaced,
     .quotes = CHECK_OF_NOTHING,
     .title = {"被替换的证据", "Evidence that was reproduced"},
     .statement = "The evidence of a result is the one that its reproduction repeats."},
    {.id = "FP6001", .told = true, .since = "2026.2", .severity = SEVERITY_ERROR, .proof = check_challenge,
     .quotes = CHECK_OF_LOG | CHECK_OF_CASE | CHECK_OF_RUN,
     .title = {"挑战", "The challenge"},
     .statement = "The run answers the challenge that is asked about: its seed, its case, its vendor "
                  "and its key."},
    {.id = "FP6002", .told = true, .since = "2026.2", .severity = SEVERITY_NOTICE, .proof = check_challenge_order,
     .quotes = CHECK_OF_LOG | CHECK_OF_CASE,
     .title = {"数据顺序", "Order of the data"},
     .statement = "The losses go up and down with the data in the order of the challenge's seed."},
    {.id = "FP6003", .told = true, .since = "2026.2", .severity = SEVERITY_NOTICE, .proof = check_challenge_start,
     .quotes = CHECK_OF_LOG | CHECK_OF_CASE,
     .title = {"第 0 步", "Step 0"},
     .statement = "The loss before any update is that of the initial weights of the challenge's "
                  "seed."},
    {.id = "FP6004", .told = true, .since = "2026.2", .severity = SEVERITY_NOTICE, .proof = check_challenge_level,
     .quotes = CHECK_OF_LOG | CHECK_OF_CASE,
     .title = {"最初的各步", "The first steps"},
     .statement = "The losses of the first steps are those that training the case with the "
                  "challenge's seed gives."},
};
/* clang-format on */

#define N_CHECKS (sizeof checks / sizeof checks[0])

const char *check_severities(const struct check *c, struct arena *arena)
{
    const char *text = severity_name(c->severity);
    unsigned left = c->also & ~CHECKS_ALSO(c->severity);
    for (int s = SEVERITY_ERROR; s >= SEVERITY_NOTICE; s--) {
        if (!(left & CHECKS_ALSO(s)))
            continue;
        left &= ~CHECKS_ALSO(s);
        text = arena_printf(arena, "%s%s %s", text, left ? "," : " or",
                            severity_name((enum severity)s));
    }
    return text;
}

const struct check *checks_all(size_t *n)
{
    *n = N_CHECKS;
    return checks;
}

/* What a file says that is not there can be held against nobody: rules about more than the archive
 * itself are not applied to a redacted submission. */
static void run_proof(struct audit *a, const struct check *c, struct proof *p)
{
    if (!p->submission.n_withheld || c->sealed)
        c->proof(a, p);
    else if (a->project->retraining || strncmp(c->id, "FP6", 3) != 0) /* which nobody asked for */
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "files are withheld: only those who have them all can ask this");
}

void checks_run_proofs(struct audit *a)
{
    for (size_t i = 0; i < N_CHECKS; i++) {
        a->check = &checks[i];
        if (!rules_has(a->rules, a->check))
            continue;
        for (size_t k = 0; checks[i].proof && k < a->n_proofs; k++)
            run_proof(a, &checks[i], &a->proofs[k]);
    }
}

static void run_on_older(struct audit *a, const struct check *c)
{
    for (size_t i = 0; i < a->n_older; i++)
        for (size_t k = 0; k < a->older[i].n_rows; k++)
            c->older(a, &a->older[i], &a->older[i].rows[k]);
}

void checks_run(struct audit *a)
{
    for (size_t i = 0; i < N_CHECKS; i++) {
        a->check = &checks[i];
        if (!rules_has(a->rules, a->check))
            continue;
        if (checks[i].page && a->result)
            checks[i].page(a);
        for (size_t k = 0; checks[i].claim && k < a->n_claims; k++)
            checks[i].claim(a, &a->claims[k]);
        if (checks[i].older)
            run_on_older(a, &checks[i]);
        for (size_t k = 0; checks[i].proof && k < a->n_proofs; k++)
            run_proof(a, &checks[i], &a->proofs[k]);
        for (size_t k = 0; checks[i].trial && k < a->n_trials; k++)
            checks[i].trial(a, &a->trials[k]);
    }
}
