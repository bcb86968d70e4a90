/**
 * Names of the processes that hold leases. A name says which process it is, so that one that was killed is
 * told from one that is slow: what it held is free at once on the machine where it ran, and after the
 * lease's end everywhere else.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** proc_pid_stat(5): the fields behind the command's name, which may itself hold spaces and brackets. */
const STATE = 0;
const STARTED = 19;

/**
 * Where process ids mean the same as here: one boot of one machine, and one space of process ids on it.
 * Null where the system does not say.
 */
function ownPlace(): string | null {
	try {
		const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
		const space = readlinkSync('/proc/self/ns/pid');
		return createHash('sha256').update(`${hostname()} ${boot} ${space}`).digest('hex').slice(0, 16);
	} catch {
		return null;
	}
}

/** When a process was started, in ticks since the boot; null when there is none with this id. */
function startOf(pid: number): string | null {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
		const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
		// A zombie has ended; only its parent has not looked yet.
		return /[ZX]/.test(fields[STATE] ?? 'X') ? null : (fields[STARTED] ?? null);
	} catch {
		return null;
	}
}

/** A name that no other owner has, in this process or elsewhere. */
export function newOwner(): string {
	const place = ownPlace();
	const started = startOf(process.pid);
	if (place === null || started === null) return randomUUID();
	return [place, process.pid, started, randomUUID()].join(':');
}

/** Whether the process of this owner has certainly ended; false when that cannot be told from here. */
export function isGone(owner: string): boolean {
	const [place, pid, started, id] = owner.split(':');
	if (id === undefined || place !== ownPlace() || !/^[1-9]\d{0,9}$/.test(pid ?? '')) return false;
	return startOf(Number(pid)) !== started;
}
