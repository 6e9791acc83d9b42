export type Locale = 'es-CO' | 'en';

/** What an error of an attempt means to the person on call. Codes: apps/webhook-dispatcher (attempt-error, outcome). */
export const ATTEMPT_ERRORS = {
  en: {
    connection_refused: 'nothing listens at the receiver’s address (connection refused)',
    connection_closed: 'the receiver closed the connection before it answered',
    timeout: 'the receiver did not answer in time',
    dns_failed: 'the receiver’s host name could not be resolved',
    unreachable: 'the network has no route to the receiver',
    tls_failed: 'no trusted TLS connection could be made (certificate expired, or of another name)',
    invalid_response: 'the receiver’s answer is not valid HTTP',
    network_error: 'the request could not be made',
    http_status: 'the receiver answered {status} instead of 2xx',
    redirect_refused: 'the receiver answered {status}, a redirect: redirects are not followed',
    gone: 'the receiver answered 410 (gone), which disables the endpoint',
    endpoint_disabled: 'its endpoint was disabled while it waited',
    endpoint_deleted: 'its endpoint was deleted while it waited',
    event_expired: 'its body is older than the time for which bodies are kept: it can never be sent again',
    other: 'the attempt failed: {code}',
  },
  'es-CO': {
    connection_refused: 'nadie escucha en la dirección del receptor (conexión rechazada)',
    connection_closed: 'el receptor cerró la conexión antes de responder',
    timeout: 'el receptor no respondió a tiempo',
    dns_failed: 'no se pudo resolver el nombre del receptor',
    unreachable: 'la red no tiene ruta hasta el receptor',
    tls_failed: 'no se pudo abrir una conexión TLS de confianza (certificado vencido o de otro nombre)',
    invalid_response: 'la respuesta del receptor no es HTTP válido',
    network_error: 'no se pudo hacer la petición',
    http_status: 'el receptor respondió {status} en lugar de 2xx',
    redirect_refused: 'el receptor respondió {status}, una redirección: no se siguen redirecciones',
    gone: 'el receptor respondió 410 (ya no existe), lo que deshabilita el destino',
    endpoint_disabled: 'su destino se deshabilitó mientras esperaba',
    endpoint_deleted: 'su destino se borró mientras esperaba',
    event_expired: 'su contenido es más antiguo que el tiempo durante el cual se guarda: ya no se puede enviar',
    other: 'el intento falló: {code}',
  },
};

/** Why a delivery is where it is. */
export const DELIVERY_SENTENCES = {
  en: {
    delivered:
      'It arrived: attempt {attempts} was answered with {status}. If the tenant misses it, it was lost behind their receiver.',
    delivering: 'It is being sent at this moment.',
    deliveringLong: 'It is being sent at this moment; a lease that a dead dispatcher left behind ends within 30 s.',
    paused: 'It waits: its endpoint is paused until {until}.',
    disabled: 'It waits: its endpoint is disabled ({reason}). It is sent once that is enabled.',
    retry: 'It waits for its next attempt, {next}: {error}.',
    first: 'It was not tried yet: it is due since {since}. The dispatcher may be down, or behind.',
    failed: 'It failed for good after {attempts} attempts: {error}.',
    failedOnce: 'It failed for good after one attempt: {error}.',
    failedUntried: 'It failed without an attempt: {error}.',
    stillDisabled: 'Its endpoint is disabled ({reason}): enable it first, once the receiver is well.',
    noEndpoint: 'Its endpoint is gone: the tenant must register one first.',
    byTenant: 'by its tenant',
    now: 'at once',
    in: 'in {span}',
  },
  'es-CO': {
    delivered:
      'Llegó: el intento {attempts} obtuvo {status}. Si el cliente no lo encuentra, se perdió detrás de su receptor.',
    delivering: 'Se está enviando en este momento.',
    deliveringLong: 'Se está enviando en este momento; la reserva de un despachador caído termina en menos de 30 s.',
    paused: 'Espera: su destino está en pausa hasta {until}.',
    disabled: 'Espera: su destino está deshabilitado ({reason}). Se envía cuando se habilite.',
    retry: 'Espera su próximo intento, {next}: {error}.',
    first: 'Aún no se ha intentado: le toca desde {since}. El despachador puede estar caído o atrasado.',
    failed: 'Falló en definitiva tras {attempts} intentos: {error}.',
    failedOnce: 'Falló en definitiva tras un intento: {error}.',
    failedUntried: 'Falló sin ningún intento: {error}.',
    stillDisabled: 'Su destino está deshabilitado ({reason}): habilítelo primero, cuando el receptor esté bien.',
    noEndpoint: 'Su destino ya no existe: el cliente debe registrar uno primero.',
    byTenant: 'por su cliente',
    now: 'enseguida',
    in: 'en {span}',
  },
};

/** Why there is no delivery. */
export const NO_DELIVERY_SENTENCES = {
  en: {
    noEndpoint: 'No delivery was made: the tenant has no endpoint for {module}.',
    unsubscribed: 'No delivery was made: the endpoint of {module} is not subscribed to {type}.',
    since: 'No delivery was made: the endpoint of {module} was registered or subscribed only after the event.',
    later:
      'Once it has one, the tenant can have earlier events sent: POST /webhook-deliveries/replays {"missing": true}.',
  },
  'es-CO': {
    noEndpoint: 'No se hizo ninguna entrega: el cliente no tiene un destino para {module}.',
    unsubscribed: 'No se hizo ninguna entrega: el destino de {module} no está suscrito a {type}.',
    since: 'No se hizo ninguna entrega: el destino de {module} se registró o suscribió solo después del evento.',
    later:
      'Cuando lo tenga, el cliente puede pedir los anteriores: POST /webhook-deliveries/replays {"missing": true}.',
  },
};
