"""Words that decide where Spanish names and places begin and end, folded as lexicons are."""

from __future__ import annotations

import re

PARTICLES = frozenset(
    "de del la las los el y e i da das do dos di san santa sant sta sto van von der den".split()
)

# Frequent words that are nothing but names, though the list of frequent words holds them.
PLAIN_NAMES = frozenset(
    """
    agustin alberto alejandro alex alfonso alonso ana andres angel antonio calderon carlos carmen
    castro cesar chavez cristina daniel david diaz diego eduardo elena enrique eva federico felipe
    fernandez fernando francisco gabriel garcia gomez gonzalez guillermo gustavo hernandez herrera
    hugo ignacio isabel jaime javier jesus joaquin jorge jose juan julia kevin laura lopez lorenzo
    lucas luis manuel marcos margarita maria mariano mario martin martinez mauricio medina mendoza
    mercedes miguel morales nicolas ortega oscar pablo pedro perez rafael ramon ramos raul ricardo
    rivera roberto rodrigo rodriguez rojas romero ruiz salvador sanchez santiago sebastian sergio
    silva smith teresa tomas torres vargas vicente victor victoria
    """.split()
)

# Words that stand right behind names in records. Some are surnames as well, others in no list.
NAME_ENDS = frozenset(
    """
    adjunta adjunto alergia alta anestesia apartado apdo atencion atte avda avenida baja bda box
    cabecera calle cama camino carretera cc ced cedula centro cep ci cip cipa cirugia clinica
    clinico cmp cnp codigo col colegiada colegiado colonia complejo consulta consultas coordinador
    coordinadora cop correo correos cp ctra curp datos departament departamento depto digestivo
    direccion dni doctor doctora domicilio don dpto dto edad edif edificio email endocrino
    enfermera enfermero episodio equipo especialidad especialista exitus facultad facultativa
    facultativo familia fax fecha firma firmado gerencia glorieta grupo habitacion historia hora
    hospital informe ingreso instituto intensiva interna jefa jefe licenciada licenciado localidad
    mail matrona medica medicina medico mn motivo movil mp nacional nass nhc nie nif nocol nss
    nuhsa numcol paciente pagina paritorio paseo pediatra plaza plza portal primaria prof profesor
    profesora pza quirofano rayos registro remitido residente responsable resumen rm rne ronda rut
    sala salud sana sano seccion secretaria servei servicio servicios sexo solicitante supervisora
    tecnica tecnico tel telefono telf tfno tlf tlfno travesia turno uci unidad universidad urb
    urgencias varon varones
    """.split()
)

# How clinical nouns end: no name does, but for those in the lists (Concepción, Natividad).
CLINICAL_WORD = re.compile(
    r"\w{2,30}(?:log[ioa]a?s?|iatria|iatras?|grafias?|scopias?|tomias?|patias?|plastias?|terapias?"
    r"|metria|itis|osis|cion|ciones|sion|siones|mientos?|mente|atic[oa]|ogic[oa]|urgia)"
)

# Names that are words of clinical text first of all, and in no list of ordinary words.
CLINICAL_NAMES = frozenset(
    """
    antero asa atlas benigna benigno can candida cap carina cat columbia diana flora germinal
    humphrey kit lisa magna mini palmar pars petrea salina sesil sien terra theta tosca vello vita
    """.split()
)

# Towns, regions and countries whose names are words first of all.
NO_PLACES = frozenset(
    """
    abertura alameda apartado arenas avion azul bello bursa camas cebolla centro cerro cesar
    chimeneas colon colonia constitucion coronel corrientes cortes delgado dolar dolores dr dra
    encontrados encrucijada esperanza espinal esquina estrella federacion flores franca frontera
    fundacion gigante glasgow goma gracia guia haria isla kawasaki kennedy lagos latina limpio
    lista meta milagro minas misiones nacimiento onda ovejas pacifico palacio paraiso pasaje plato
    porta principe progreso pulgar puño rama reforma regla resistencia retiro reunion rios salta
    salto sonora tela tias tome trazo universidad ventanas ventas vera
    """.split()
)

# Countries whose names mean a town or a person nearly always.
NO_COUNTRIES = frozenset({"granada", "mauricio"})
