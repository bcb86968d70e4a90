import { storedActor } from '#lib/messages/audit/actions.ts';
import { storedPlaces } from '#lib/messages/audit/values.ts';
import { AUDIT_LIST } from '#lib/messages/auditList.ts';
import { parseDay } from '#lib/text/day.ts';
import { DAY_MS } from '#lib/text/units.ts';
import { z } from 'zod';
import { exportList } from '../../chains/lists/exportList.ts';
import { keysetPage, type Order } from '../../chains/lists/keyset.ts';
import { optionalText, type List } from '../../chains/lists/list.ts';
import { listQuery } from '../../chains/lists/listQuery.ts';
import { AUDIT_KINDS, AUDIT_OUTCOMES } from '../../platform/audit-trail/entry.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import { eventOf, type AuditEvent } from './events.ts';
import { isoTime } from '#lib/text/utc.ts';

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?)?$/;
/** Most characters of a filter by name. */
const MOST_LETTERS = 200;

/** A moment as it is typed: a day, or a day and a time, in UTC. */
const moment = z
	.string()
	.regex(DATE, AUDIT_LIST.faults.moment)
	.transform((text, issues) => {
		const whole = text.includes('T');
		const day = parseDay(text.slice(0, 'YYYY-MM-DD'.length));
		const at = whole ? Date.parse(text.endsWith('Z') ? text : `${text}Z`) : day;
		if (Number.isNaN(day) || Number.isNaN(at))
			issues.addIssue({ code: 'custom', message: AUDIT_LIST.faults.noDay });
		return { at, whole };
	});

const word = (what: string) =>
	z.string().max(MOST_LETTERS, AUDIT_LIST.faults.tooLong(what, MOST_LETTERS));

const filter = z.object({
	actor: optionalText(word(AUDIT_LIST.faults.name)).describe(AUDIT_LIST.filters.actor),
	kind: optionalText(z.enum(AUDIT_KINDS, AUDIT_LIST.faults.kind)).describe(AUDIT_LIST.filters.kind),
	action: optionalText(word(AUDIT_LIST.faults.action)).describe(AUDIT_LIST.filters.action),
	place: optionalText(word(AUDIT_LIST.faults.name)).describe(AUDIT_LIST.filters.place),
	outcome: optionalText(z.enum(AUDIT_OUTCOMES, AUDIT_LIST.faults.outcome)).describe(
		AUDIT_LIST.filters.outcome
	),
	from: optionalText(
		moment as unknown as z.ZodType<{ at: number; whole: boolean }, string>
	).describe(AUDIT_LIST.filters.from),
	to: optionalText(moment as unknown as z.ZodType<{ at: number; whole: boolean }, string>).describe(
		AUDIT_LIST.filters.to
	)
});

/** Names of the parameters that filter the log. */
export const AUDIT_FILTERS: readonly string[] = Object.keys(filter.shape);

export type AuditFilter = z.output<typeof filter>;
type AuditList = List<AuditEvent, typeof filter, Database<AccessTables>>;

const order = <Row extends { time: bigint; seq: bigint }>(descending: boolean): Order<Row> => ({
	columns: [
		{ name: 'time', type: 'int', value: ({ time }) => time },
		{ name: 'seq', type: 'int', value: ({ seq }) => seq }
	],
	descending
});

const shape = z.object({
	number: z.int(),
	time: z.iso.datetime(),
	actor: z.string(),
	action: z.string(),
	kind: z.enum(AUDIT_KINDS),
	target: z.string().nullable(),
	place: z.string().nullable(),
	outcome: z.enum(AUDIT_OUTCOMES),
	request: z.string().nullable(),
	detail: z.record(z.string(), z.unknown())
});

/** The log as a list, for its page and its export files. */
export const auditList: AuditList = {
	name: 'audit',
	summary: AUDIT_LIST.summary,
	scope: 'all',
	filter,
	sorts: ['-time', 'time'],
	row: shape,
	wire: ({ seq, time, actor, action, kind, target, place, outcome, request, detail }) => ({
		number: seq,
		time: isoTime(time),
		actor,
		action,
		kind,
		target,
		place,
		outcome,
		request,
		detail
	}),
	columns: [
		{ title: 'number', value: ({ seq }) => seq },
		{ title: 'time', value: ({ time }) => isoTime(time) },
		{ title: 'actor', value: ({ actor }) => actor },
		{ title: 'action', value: ({ action }) => action },
		{ title: 'kind', value: ({ kind }) => kind },
		{ title: 'target', value: ({ target }) => target },
		{ title: 'place', value: ({ place }) => place },
		{ title: 'outcome', value: ({ outcome }) => outcome },
		{ title: 'request', value: ({ request }) => request },
		{ title: 'detail', value: ({ detail }) => JSON.stringify(detail) }
	],
	async read(db, query) {
		const { actor, kind, action, place, outcome, from, to } = query.filter;
		let rows = db.selectFrom('audit_events').selectAll();
		if (actor !== undefined) rows = rows.where('actor', '=', storedActor(actor));
		if (kind !== undefined) rows = rows.where('kind', '=', kind);
		if (action !== undefined) rows = rows.where('action', '=', action);
		if (place !== undefined) rows = rows.where('place', 'in', storedPlaces(place));
		if (outcome !== undefined) rows = rows.where('outcome', '=', outcome);
		if (from !== undefined) rows = rows.where('time', '>=', BigInt(from.at));
		if (to !== undefined) {
			rows = rows.where('time', '<', BigInt(to.whole ? to.at : to.at + DAY_MS));
		}
		const page = await keysetPage(rows, order(query.sort.startsWith('-')), query);
		return { ...page, rows: page.rows.map(eventOf) };
	}
};

/**
 * Exports the matching events as a file.
 * @param parameters the filter and the order, as in the page's address
 * @throws {AppError} `api`: a parameter is invalid
 */
export function auditFile(
	db: Database<AccessTables>,
	parameters: URLSearchParams,
	form: 'csv' | 'export'
): Promise<Response> {
	return exportList(db, auditList, listQuery(auditList, undefined, parameters), form, null);
}
