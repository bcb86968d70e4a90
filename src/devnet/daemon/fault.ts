/** Faults that a daemon can be told to show. */
export const FAULT_KINDS = [
	'none',
	'latency',
	'warm-up',
	'work-queue-full',
	'drop',
	// Each connection is closed soon after its response, without announcement.
	'close',
	'truncate',
	// `flood`: a response of millions of values, as from a faulty proxy. `other-id`: the response to another
	// call.
	'flood',
	'other-id',
	'wrong-password',
	'down'
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
	kind: FaultKind;
	/** Duration of a latency in milliseconds. */
	ms: number;
	/** Limits the fault to calls of this method. */
	method?: string;
	/** Number of calls still to be affected; unlimited when absent. */
	count?: number;
	/** Whether the connection breaks (or the latency elapses) before or after the method runs. */
	phase: 'before' | 'after';
}

/** The faults armed on one daemon. */
export class Faults {
	#armed: Fault[] = [];

	set(fault: Fault): void {
		this.#armed =
			fault.kind === 'none' ? [] : [...this.#armed.filter((f) => f.kind !== fault.kind), fault];
	}

	/** True while a fault of this kind is armed. */
	has(kind: FaultKind): boolean {
		return this.#armed.some((fault) => fault.kind === kind);
	}

	/** Returns the faults that affect a call of these methods, and counts them down. */
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
