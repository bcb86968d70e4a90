import type { Fault, FaultKind } from '../daemon/fault.ts';
import { ControlError, text, value, whole, type Body } from './body.ts';

/** Reads the fault that a server is to show, one of those that it can. @throws {ControlError} */
export function readFault(body: Body, kinds: readonly FaultKind[]): Fault {
	const kind = kinds.find((one) => one === value(body, 'kind'));
	if (!kind) throw new ControlError(400, `kind must be one of ${kinds.join(', ')}`);
	const phase = value(body, 'phase') ?? 'before';
	if (phase !== 'before' && phase !== 'after') {
		throw new ControlError(400, 'phase must be before or after');
	}
	return {
		kind,
		ms: whole(body, 'ms', 1000, 600_000),
		phase,
		...(value(body, 'method') === undefined ? {} : { method: text(body, 'method') }),
		...(value(body, 'count') === undefined ? {} : { count: whole(body, 'count', null, 1_000_000) })
	};
}
