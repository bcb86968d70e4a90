import type { Fault, FaultKind, Faults } from '../daemon/fault.ts';
import { ControlError, text, value, whole, type Body } from './body.ts';

/** A server whose faults are set by the control API. */
interface Faulty {
	faults: Faults;
	http: { readonly isOpen: boolean; open(): Promise<void>; close(): Promise<void> };
}

/** Reads the fault that a server is to show, one of those that it can. @throws {ControlError} */
function readFault(body: Body, kinds: readonly FaultKind[]): Fault {
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

/**
 * Has a server show a fault, one of those that it can; `down` closes it, and `none` opens it again.
 * @throws {ControlError}
 */
export async function showFault({ faults, http }: Faulty, body: Body, kinds: readonly FaultKind[]) {
	const fault = readFault(body, kinds);
	if (fault.kind === 'down') await http.close();
	else {
		faults.set(fault);
		if (fault.kind === 'none') await http.open();
	}
	return { faults: faults.list(), open: http.isOpen };
}
