/**
 * Replays the requests that were recorded from running daemons of release 0.9.0 on a development network with
 * that profile: status, content type, members in their order, types, codes and texts must match the recorded
 * ones.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { JsonNumber, parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { startDevnet } from '../../support/devnet.ts';
import { mutants } from '../mutants.ts';
import { mismatches, type Answer } from './compare.ts';
import { readExceptions } from './exceptions.ts';
import { readRecordings } from './recordings.ts';
import { SEED_METHODS } from './seedMethods.ts';
import { Stage, type Played } from './stage.ts';
import { playAll } from './story.ts';
import { isVarying, unusedVaries } from './varies.ts';
import { shared } from '../../support/shared.ts';

const LEAST_SHARE = 0.9;

const recordings = readRecordings();
const exceptions = readExceptions();
let stage: Stage;
const net = shared(() =>
	startDevnet({
		profile: 'daemon-0.9.0',
		young: true,
		// The recorder's daemons were started with enough data carrier size for imports.
		dataCarrierSize: 10_001
	})
);
beforeAll(async () => {
	stage = new Stage(net, recordings);
	await playAll(stage);
	stage.settle();
});

const fits = ({ recording, mismatches: found }: Played): boolean =>
	found.length === 0 && !exceptions.has(recording.name);

describe('the recordings of a running daemon', () => {
	test('each is answered in the same way, but for those on the reviewed list', () => {
		const wrong = [...stage.played.values()]
			.filter(
				({ recording, mismatches: found }) => found.length > 0 && !exceptions.has(recording.name)
			)
			.map(({ recording, mismatches: found }) => `${recording.name}: ${found.join('\n  ')}`);
		expect(wrong).toEqual([]);
	});

	test('each is played or stands on the list, and no line of the list is for nothing', () => {
		const left = [...recordings.keys()].filter(
			(name) => !stage.played.has(name) && !exceptions.has(name)
		);
		expect(left).toEqual([]);
		const needless = [...exceptions.keys()].filter(
			(name) => !recordings.has(name) || stage.played.get(name)?.mismatches.length === 0
		);
		expect(needless).toEqual([]);
	});

	test('nine of ten recordings are replayed, of the interface document and altogether', () => {
		const share = (title: string, names: readonly string[]): number => {
			const replayed = names.filter((name) => {
				const played = stage.played.get(name);
				return played !== undefined && fits(played);
			});
			const excepted = names.filter((name) => exceptions.has(name));
			console.info(
				`${title}: replayed ${replayed.length} of ${names.length}, exceptions ${excepted.length}`
			);
			return replayed.length / names.length;
		};
		const all = [...recordings.values()];
		const named = (list: typeof all): string[] => list.map(({ name }) => name);
		const ofSeed = all.filter(({ method }) => SEED_METHODS.has(method));
		expect(share('methods of the interface document', named(ofSeed))).toBeGreaterThan(LEAST_SHARE);
		expect(share('all recordings', named(all))).toBeGreaterThan(LEAST_SHARE);
	});

	test('no value is let vary without need', () => {
		expect(unusedVaries()).toEqual([]);
	});
});

describe('an answer with one thing wrong', () => {
	/** Whether the comparison finds an injected fault in a correct response. */
	const noticed = ({ recording, recordingText }: Subject, change: Partial<Answer>): boolean => {
		const played = stage.played.get(recording)!;
		const { http, method } = played.recording;
		const expected = { ...http, method, text: recordingText };
		return mismatches(expected, { ...played.answer, ...change }, played.roles).length > 0;
	};

	interface Subject {
		recording: string;
		recordingText: string;
	}
	const subjects = (): Subject[] =>
		[...stage.played.values()]
			.filter(fits)
			.map(({ recording }) => ({ recording: recording.name, recordingText: recording.answer }));

	const answerOf = (name: string): Answer => stage.played.get(name)!.answer;

	test('every answer is right as it is, so that what is noticed is the change', () => {
		const wrong = subjects().filter((subject) => noticed(subject, {}));
		expect(wrong.map(({ recording }) => recording)).toEqual([]);
	});

	test('another status, another content type, another spacing are noticed', () => {
		const missed = subjects().flatMap((subject) => {
			const { status, contentType, text } = answerOf(subject.recording);
			const changes: [string, Partial<Answer>][] = [
				['status', { status: status === 200 ? 500 : 200 }],
				['content type', { contentType: `${contentType}; charset=utf-8` }],
				['text', { text: `${text} ` }]
			];
			return changes
				.filter(([, change]) => !noticed(subject, change))
				.map(([what]) => `${what} of ${subject.recording}`);
		});
		expect(missed).toEqual([]);
	});

	test('a member more, fewer, of another name or type is noticed at every level', () => {
		const missed = new Set<string>();
		let count = 0;
		for (const subject of subjects()) {
			const answer = parsed(answerOf(subject.recording).text);
			if (answer === undefined) continue;
			for (const { rule, path, value } of mutants(answer)) {
				if (rule === 'digits') continue;
				count += 1;
				const change = { text: `${stringifyJson(value)}\n` };
				if (!noticed(subject, change)) missed.add(`${rule} ${subject.recording} ${path}`);
			}
		}
		console.info(`${count} wrong answers were noticed`);
		expect([...missed]).toEqual([]);
		expect(count).toBeGreaterThan(5000);
	});

	test('another code, text or value is noticed wherever it does not vary', () => {
		const missed = new Set<string>();
		let count = 0;
		for (const subject of subjects()) {
			const answer = parsed(answerOf(subject.recording).text);
			if (answer === undefined) continue;
			const { method } = stage.played.get(subject.recording)!.recording;
			for (const { path, value } of otherValues(answer)) {
				count += 1;
				const change = { text: `${stringifyJson(value)}\n` };
				if (!noticed(subject, change) && !isVarying(method, path)) {
					missed.add(`${subject.recording} ${path}`);
				}
			}
		}
		console.info(`${count} other values were looked at`);
		expect([...missed]).toEqual([]);
	});
});

const parsed = (text: string): JsonValue | undefined => {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
};

/** The response with one number or text replaced by another of its kind, at every place. */
function* otherValues(value: JsonValue, path = ''): Generator<{ path: string; value: JsonValue }> {
	if (value instanceof JsonNumber) {
		const other = value.source === '7' ? '8' : '7';
		yield { path, value: new JsonNumber(other) };
	} else if (typeof value === 'string') yield { path, value: `${value}?` };
	else if (typeof value === 'boolean') yield { path, value: !value };
	else if (Array.isArray(value)) {
		const items = value as JsonValue[];
		for (const [index, item] of items.entries()) {
			for (const inner of otherValues(item, `${path}[]`)) {
				yield { ...inner, value: items.map((old, i) => (i === index ? inner.value : old)) };
			}
		}
	} else if (value !== null) {
		for (const [name, item] of Object.entries(value)) {
			for (const inner of otherValues(item, path === '' ? name : `${path}.${name}`)) {
				yield { ...inner, value: { ...value, [name]: inner.value } };
			}
		}
	}
}
