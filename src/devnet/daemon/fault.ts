/** What a daemon can be made to do wrong. */
export const FAULT_KINDS = [
	'none',
	'latency',
	'warm-up',
	'work-queue-full',
	'drop',
	// Each connection ends soon after its answer, and nothing announces it.
	'close',
	'truncate',
	// Millions of values, as a program in between may answer; and the answer to another call.
	'flood',
	'other-id',
	'wrong-password',
	'down'
] as const;

type FaultKind = (typeof FAULT_KINDS)[number];

interface Fault {
	kind: FaultKind;
	/** Milliseconds of a latency. */
	ms: number;
	/** Only calls of this method; every call when absent. */
	method?: string;
	/** How many calls are still to be hit; without end when absent. */
	count?: number;
	/** Whether a dropped connection breaks, or a latency passes, before or after the method did its work. */
	phase: 'before' | 'after';
}

/** The faults that are armed on one daemon. */
export class Faults {
	#armed: Fault[] = [];

	set(fault: Fault): void {
		this.#armed =
			fault.kind === 'none' ? [] : [...this.#armed.filter((f) => f.kind !== fault.kind), fault];
	}

	/** True while a fault of the kind is armed for every call. */
	has(kind: FaultKind): boolean {
		return this.#armed.some((fault) => fault.kind === kind);
	}

	/** The faults that hit a call of these methods; counts are used up. */
	take(methods: readonly string[]): Fault[] {
		const hit = this.#armed.filter(
			(fault) => fault.method === undefined || methods.includes(fault.method)
		);
		for (const fault of hit) if (fault.count !== undefined) fault.count -= 1;
		this.#armed = this.#armed.filter((fault) => fault.count === undefined || fault.count > 0);
		return hit;
	}

	list(): readonly Fault[] {
		return this.#armed;
	}
}
