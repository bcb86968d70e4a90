/**
 * Converts the sentences that earlier releases stored about activations to codes. A sentence that is not
 * recognized is kept and shown as it is.
 */
import {
	legacyMessage,
	sentenceReader,
	type StoredMessage
} from '../../platform/database/storedSentences.ts';

const event = sentenceReader([
	['servers.answered', '{online:n} of {all:n} server answered'],
	['servers.answered', '{online:n} of {all:n} servers answered'],
	['attempt.begun', 'Try {attempt:n} begins'],
	['attempt.failed', 'Try {attempt:n} failed; the next one is in {seconds:n} seconds'],
	['attempt.last-failed', 'It failed: try {attempt:n} was the last one'],
	['failed', 'It failed'],
	['active', 'It is active'],
	['active.before', 'It was active already'],
	['active.read-elsewhere', 'It is active; its task was read elsewhere'],
	['task.begun', 'The node works on it as task {task:n}'],
	['task.other-coin', "Task {task:n} is another coin's now"],
	['task.unknown', 'The node does not know task {task:n} any more'],
	['task.ended', 'The task was ended'],
	['task.finished-before', 'The task had finished before it could be ended'],
	['task.lost', 'The node was restarted, so task {task:n} is void'],
	['ended.before', 'It was ended before the node was asked'],
	['device.asked', 'The device waits for a person'],
	['begun', '{actor} began it'],
	['joined', '{actor} asked for the same and joined'],
	['end.asked', '{actor} asked to end it'],
	['retry.asked', '{actor} asked to try now'],
	['pad.taken', '{actor} took the pad'],
	['pad.answered', '{actor} answered the device ({count:n})']
]);

/** Converts the sentence of an event. */
export const eventOfSentence = (text: string): StoredMessage => event(text) ?? legacyMessage(text);
