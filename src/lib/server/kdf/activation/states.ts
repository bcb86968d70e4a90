/**
 * States of an activation.
 * - `probing`: the servers are checked
 * - `starting`: the node is about to be asked, or is being asked; asked again after a crash
 * - `running`: a task of the node works on it
 * - `action`: the task waits for a PIN or a passphrase
 * - `waiting`: a try failed for a reason that may be temporary; the next one is scheduled
 * - `active`, `failed`, `cancelled`: final states
 * - `void`: the node does not know the task any more: it was restarted, or the task was cancelled elsewhere
 */
export const OPEN_STATES = ['probing', 'starting', 'running', 'action', 'waiting'] as const;
const FINAL_STATES = ['active', 'failed', 'cancelled', 'void'] as const;
export const ACTIVATION_STATES = [...OPEN_STATES, ...FINAL_STATES] as const;

export type ActivationState = (typeof ACTIVATION_STATES)[number];

export const isOpen = (state: ActivationState): state is (typeof OPEN_STATES)[number] =>
	(OPEN_STATES as readonly string[]).includes(state);

/** Delays in seconds after each failed try; when there are no more of them, the activation has failed. */
export const RETRY_AFTER_S: readonly number[] = [5, 15, 45, 120, 300];

/** How long a node waits for a PIN: 300 s, for the set-up of the device 600 s (KDF 2.5.1). */
export const actionSeconds = (method: string): number =>
	method === 'task::init_trezor' ? 600 : 300;
