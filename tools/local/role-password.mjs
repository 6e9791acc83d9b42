import { createHmac } from 'node:crypto';

/**
 * The password of a database role: follows from one secret, so that no list of roles is kept.
 * @param {string} secret
 * @param {string} role
 * @returns {string} 64 hexadecimal characters
 */
export const rolePassword = (secret, role) => createHmac('sha256', secret).update(role).digest('hex');
