import { createHash, randomInt } from 'node:crypto';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { entropyToMnemonic, englishWords, KeyTree } from '#lib/chain/hdKey.ts';
import { publicKeyOf } from '#lib/chain/key.ts';

/** Keys of the numeric pad from the top left to the bottom right, as a user presses them. */
const PAD = '789456123';

/** Failures that a device reports. */
export type DeviceFailure = 'InvalidPin' | 'UserCancelled' | 'NoTrezorDeviceAvailable';

/** A simulated hardware wallet that shuffles the displayed digits for each PIN prompt. */
export class Device {
	readonly id: string;
	readonly #seed: string;
	#tree: KeyTree | null = null;
	isPlugged: boolean;
	pin: string;
	/** Whether it asks for the PIN every time; otherwise once after it is plugged in. */
	asksAlways = true;
	#unlocked = false;
	#grid: string | null = null;
	/** Consecutive wrong PINs. */
	wrongPins = 0;

	constructor(seed: string, isPlugged: boolean) {
		this.#seed = seed;
		this.isPlugged = isPlugged;
		const digits = createHash('sha256').update(`pin ${seed}`).digest();
		this.pin = [...digits.subarray(0, 4)].map((byte) => 1 + (byte % 9)).join('');
		this.id = createHash('sha256')
			.update(`device ${seed}`)
			.digest('hex')
			.slice(0, 24)
			.toUpperCase();
	}

	/** The device's own keys; created on first use because that is slow. */
	get keys(): KeyTree {
		const entropy = createHash('sha256').update(`words ${this.#seed}`).digest().subarray(0, 16);
		this.#tree ??= new KeyTree(entropyToMnemonic(new Uint8Array(entropy), englishWords));
		return this.#tree;
	}

	/** Identifies the device: hash of a public key, 40 hex digits. */
	get pubkey(): string {
		return bytesToHex(hash160(publicKeyOf(this.keys.keyAt("m/44'/141'/0'"))));
	}

	plug(plugged: boolean): void {
		this.isPlugged = plugged;
		this.#unlocked = false;
		if (!plugged) this.#grid = null;
	}

	get wantsPin(): boolean {
		return this.asksAlways || !this.#unlocked;
	}

	/** Shows the digits in a new random order. */
	showGrid(): void {
		const digits = [...'123456789'];
		for (let at = digits.length - 1; at > 0; at--) {
			const other = randomInt(at + 1);
			[digits[at], digits[other]] = [digits[other]!, digits[at]!];
		}
		this.#grid = digits.join('');
	}

	hideGrid(): void {
		this.#grid = null;
	}

	/** The displayed digits, from the top left; null while none are shown. */
	get grid(): string | null {
		return this.#grid;
	}

	/** The keys to press for the correct PIN with the current digits. */
	get rightPositions(): string | null {
		const grid = this.#grid;
		return grid && [...this.pin].map((digit) => PAD[grid.indexOf(digit)]!).join('');
	}

	/** Checks the pressed keys; true when they are the PIN. */
	enter(positions: string): boolean {
		const right = this.rightPositions !== null && positions === this.rightPositions;
		this.#grid = null;
		this.#unlocked = right;
		this.wrongPins = right ? 0 : this.wrongPins + 1;
		return right;
	}
}
